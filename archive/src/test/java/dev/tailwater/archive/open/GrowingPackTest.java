package dev.tailwater.archive.open;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.Codec;
import dev.tailwater.archive.Property;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.PackId;
import dev.tailwater.archive.pack.PackedStream;
import dev.tailwater.archive.seal.GrowingArray;
import dev.tailwater.archive.seal.PackSealer;
import dev.tailwater.archive.seal.SealedPack;
import dev.tailwater.posix.PosixPath;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Packs in arrays that grow are those in arrays that are long enough from the start. */
class GrowingPackTest {
  private static final PackId ID = new PackId("web-1", new PackGroup("9hq8uvlhiuj8l-0fk3v9a1"), 17);

  private static PackSealer sealer(Codec codec) {
    return new PackSealer(codec, List.of(), Optional.empty(), new SecureRandom());
  }

  private static PackedStream stream(int number) {
    PosixPath path = PosixPath.of("/var/log/app/" + "x".repeat(number % 50) + number + ".log");
    return new PackedStream(number, Segments.STREAM.withEpoch(number), path, path, 0640);
  }

  private static byte[] object(SealedPack pack) {
    return Arrays.copyOfRange(pack.staging(), pack.from(), pack.from() + pack.lengthBytes());
  }

  @Test
  void hasTheSameBytesAndTheSameRoomAsInALongArray() {
    Property.holds(
        60,
        random -> {
          Codec codec = random.nextBoolean() ? new Codec.Store() : new Codec.Zstd(1);
          int mostBytes = 20_000 + random.nextInt(4 << 20);
          try (PackSealer growing = sealer(codec);
              PackSealer fixed = sealer(codec)) {
            int frontBytes = mostBytes / 4;
            growing.begin(new TestArray(random.nextInt(mostBytes), mostBytes), ID, frontBytes);
            fixed.begin(new byte[mostBytes], ID, frontBytes);
            fill(growing, fixed, random);
            SealedPack grown = growing.finish(Segments.SEALED_MILLIS);
            SealedPack expected = fixed.finish(Segments.SEALED_MILLIS);
            assertEquals(expected.name(), grown.name());
            assertArrayEquals(object(expected), object(grown));
          }
        });
  }

  /** Adds streams to both until a random end, or until there is no room. */
  private static void fill(PackSealer growing, PackSealer fixed, Random random) {
    int most = random.nextInt(400);
    int longest = random.nextBoolean() ? 500 : 400_000;
    for (int number = 0; number < most; number++) {
      PackedStream stream = stream(number);
      byte[] content = new byte[1 + random.nextInt(longest)];
      if (random.nextBoolean()) {
        random.nextBytes(content);
      }
      boolean hasRoom = fixed.hasRoomFor(stream, content.length);
      assertEquals(hasRoom, growing.hasRoomFor(stream, content.length));
      if (!hasRoom) {
        return;
      }
      boolean isDropped = random.nextInt(10) == 0;
      for (PackSealer sealer : List.of(growing, fixed)) {
        sealer.describe(stream);
        sealer.beginRange(number, 0, content.length);
        sealer.append(content, 0, content.length);
        if (isDropped) {
          sealer.dropRange();
        } else {
          sealer.endRange(number);
        }
      }
      assertEquals(fixed.encodedBytes(), growing.encodedBytes());
    }
  }

  @Test
  void movesItsUnitsWhereTheFrontIsLong() {
    int mostBytes = 4 << 20;
    TestArray array = new TestArray(1 << 10, mostBytes);
    try (PackSealer growing = sealer(new Codec.Zstd(1));
        PackSealer fixed = sealer(new Codec.Zstd(1))) {
      growing.begin(array, ID, mostBytes / 4);
      fixed.begin(new byte[mostBytes], ID, mostBytes / 4);
      for (int number = 0; number < 2000; number++) {
        for (PackSealer sealer : List.of(growing, fixed)) {
          sealer.describe(stream(number));
          sealer.beginRange(number, 0, 1);
          sealer.append(new byte[] {(byte) number}, 0, 1);
          sealer.endRange(number);
        }
      }
      SealedPack grown = growing.finish(Segments.SEALED_MILLIS);
      assertArrayEquals(object(fixed.finish(Segments.SEALED_MILLIS)), object(grown));
      assertTrue(array.bytes().length < mostBytes / 4, array.bytes().length + " bytes");
    }
  }

  @Test
  void growsToTwiceItsLengthAndToAllRatherThanHalf() {
    assertEquals(200, GrowingArray.grownBytes(100, 101, 1000));
    assertEquals(300, GrowingArray.grownBytes(100, 300, 1000));
    assertEquals(1000, GrowingArray.grownBytes(100, 501, 1000));
    assertEquals(1000, GrowingArray.grownBytes(300, 301, 1000));
    assertEquals(Integer.MAX_VALUE, GrowingArray.grownBytes(1 << 30, 5, Integer.MAX_VALUE));
  }
}
