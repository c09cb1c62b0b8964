package dev.tailwater.delivery.pack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.FileOwner;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.pack.PackedStream;
import dev.tailwater.delivery.checkpoint.NameHash;
import dev.tailwater.delivery.stream.Place;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.PosixPath;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is remembered of the streams that a group of packs has described. */
final class DescribedStreamsTest {
  private static final int STREAMS = 3_000;
  private static final Optional<FileOwner> ROOT = Optional.of(new FileOwner(0, 0, "root", "root"));

  private final DescribedStreams described = new DescribedStreams(new NameHash(new Random(1)));

  private static StreamId id(int file, int epoch) {
    FileIdentity identity =
        new FileIdentity(7, file, OptionalLong.empty(), OptionalLong.of(1_000L + file / 10));
    return StreamId.of("agent", identity, epoch);
  }

  private static PackedStream stream(int file, int epoch, int number) {
    PosixPath path = PosixPath.of("/logs/f" + file);
    return new PackedStream(number, id(file, epoch), path, path, 0644)
        .withOwner(ROOT)
        .withArrival(OptionalLong.of(file));
  }

  private static StreamProgress.Attributes attributes(
      String path, long arrivalNanos, int permissions, Optional<FileOwner> owner) {
    return new StreamProgress.Attributes(
        new Place(PosixPath.of(path), OptionalLong.of(arrivalNanos)), permissions, 5, owner);
  }

  @Test
  void everyStreamHasItsNumberAndEpochsAreStreamsOfTheirOwn() {
    for (int file = 0; file < STREAMS; file++) {
      described.put(stream(file, 0, 2 * file));
      described.put(stream(file, Integer.MAX_VALUE, 2 * file + 1));
    }
    assertEquals(2 * STREAMS, described.size());
    for (int file = 0; file < STREAMS; file++) {
      assertEquals(2 * file, described.find(id(file, 0)).orElseThrow().number());
      assertEquals(
          2 * file + 1, described.find(id(file, Integer.MAX_VALUE)).orElseThrow().number());
      assertTrue(described.find(id(file, 1)).isEmpty());
    }
  }

  @Test
  void whatHasChangedIsNotSaid() {
    described.put(stream(3, 0, 1));
    DescribedStreams.Known known = described.find(id(3, 0)).orElseThrow();
    Optional<FileOwner> other = Optional.of(new FileOwner(1, 0, "daemon", "root"));
    assertTrue(known.says(attributes("/logs/f3", 3, 0644, ROOT)));
    assertTrue(known.says(attributes("/logs/f3", 3, 0644, Optional.empty())));
    assertFalse(known.says(attributes("/logs/f4", 3, 0644, ROOT)));
    assertFalse(known.says(attributes("/logs/f3", 4, 0644, ROOT)));
    assertFalse(known.says(attributes("/logs/f3", 3, 0600, ROOT)));
    assertFalse(known.says(attributes("/logs/f3", 3, 0644, other)));
  }

  @Test
  void aLaterDescriptionReplacesAnEarlierOne() {
    described.put(stream(3, 0, 1));
    described.put(stream(3, 0, 1).withArrival(OptionalLong.empty()));
    assertEquals(1, described.size());
    DescribedStreams.Known known = described.find(id(3, 0)).orElseThrow();
    assertFalse(known.says(attributes("/logs/f3", 3, 0644, ROOT)));
    assertTrue(
        known.says(
            new StreamProgress.Attributes(
                new Place(PosixPath.of("/logs/f3"), OptionalLong.empty()), 0644, 5, ROOT)));
  }
}
