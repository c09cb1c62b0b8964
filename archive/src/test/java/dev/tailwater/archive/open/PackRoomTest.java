package dev.tailwater.archive.open;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.Codec;
import dev.tailwater.archive.Property;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.PackId;
import dev.tailwater.archive.pack.PackedStream;
import dev.tailwater.archive.pack.StreamFact;
import dev.tailwater.archive.seal.PackSealer;
import dev.tailwater.archive.seal.SealedPack;
import dev.tailwater.posix.PosixPath;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A pack can be ended whatever was put into it, as long as it was asked before. */
class PackRoomTest {
  private static final PackId ID = new PackId("web-1", new PackGroup("9hq8uvlhiuj8l-0fk3v9a1"), 17);
  private static final int MOST_STEPS = 200;

  private static PackedStream stream(Random random) {
    int number = random.nextInt(50);
    PosixPath path = PosixPath.of("/log/" + "x".repeat(random.nextInt(30)) + number);
    return new PackedStream(number, Segments.STREAM.withEpoch(number), path, path, 0640);
  }

  @Test
  void endsAPackInAnArrayThatIsFull() {
    Property.holds(
        300,
        random -> {
          Codec codec = random.nextBoolean() ? new Codec.Store() : new Codec.Zstd(1);
          try (PackSealer sealer =
              new PackSealer(codec, List.of(), Optional.empty(), new SecureRandom())) {
            int frontBytes = 800 + random.nextInt(1500);
            int dataBytes = 100 + random.nextInt(900);
            sealer.begin(new byte[frontBytes + dataBytes], ID, frontBytes);
            int ranges = 0;
            for (int step = random.nextInt(MOST_STEPS); step > 0; step--) {
              ranges += step(sealer, random, 1000L * ranges);
            }
            SealedPack sealed = sealer.finish(Segments.SEALED_MILLIS);
            assertEquals(ranges, sealed.directory().ranges().size());
          }
        });
  }

  /** Puts something in, if there is room; returns how many ranges that were. */
  private static int step(PackSealer sealer, Random random, long startBytes) {
    PackedStream stream = stream(random);
    byte[] raw = new byte[1 + random.nextInt(200)];
    random.nextBytes(raw);
    boolean isRange =
        switch (random.nextInt(4)) {
          case 0 -> describeAndAdd(sealer, stream, startBytes, raw);
          case 1 -> add(sealer, stream.number(), startBytes, raw);
          case 2 -> addAndDescribe(sealer, stream, startBytes, raw);
          default -> say(sealer, stream);
        };
    return isRange ? 1 : 0;
  }

  private static boolean describeAndAdd(
      PackSealer sealer, PackedStream stream, long startBytes, byte[] raw) {
    if (!sealer.hasRoomFor(stream, raw.length)) {
      return false;
    }
    sealer.describe(stream);
    assertTrue(add(sealer, stream.number(), startBytes, raw));
    return true;
  }

  private static boolean add(PackSealer sealer, int number, long startBytes, byte[] raw) {
    if (!sealer.hasRoomFor(raw.length)) {
      return false;
    }
    sealer.beginRange(number, startBytes, raw.length);
    sealer.append(raw, 0, raw.length);
    sealer.endRange(0);
    return true;
  }

  /** Describes a stream when it is known that there are bytes, as the agent does it. */
  private static boolean addAndDescribe(
      PackSealer sealer, PackedStream stream, long startBytes, byte[] raw) {
    if (!sealer.hasRoomFor(raw.length)) {
      return false;
    }
    sealer.beginRange(stream.number(), startBytes, raw.length);
    sealer.append(raw, 0, raw.length);
    if (!sealer.hasRoomFor(stream)) {
      sealer.dropRange();
      return false;
    }
    sealer.describe(stream);
    sealer.endRange(0);
    return true;
  }

  private static boolean say(PackSealer sealer, PackedStream stream) {
    StreamFact fact = new StreamFact.Renamed(stream.number(), stream.path(), 0);
    if (sealer.hasRoomFor(fact)) {
      sealer.say(fact);
    }
    return false;
  }
}
