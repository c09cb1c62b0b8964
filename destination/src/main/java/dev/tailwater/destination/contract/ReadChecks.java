package dev.tailwater.destination.contract;

import static dev.tailwater.destination.contract.CheckSupport.bytes;
import static dev.tailwater.destination.contract.CheckSupport.put;
import static dev.tailwater.destination.contract.CheckSupport.read;
import static dev.tailwater.destination.contract.CheckSupport.together;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.NoSuchObjectException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** The checks of {@link Destination#read}. */
final class ReadChecks {
  private static final int LENGTH = 700_001;
  private static final CheckGroup GROUP = CheckGroup.READ;

  private ReadChecks() {}

  static List<Check> all() {
    return List.of(
        Check.vital(
                GROUP,
                "gives exactly the range that is asked for",
                "a restore gets other bytes than were delivered, and refuses them",
                ReadChecks::givesExactlyTheRangeThatIsAskedFor)
            .lengthy(),
        Check.vital(
            GROUP,
            "ends a read where the object ends",
            "a restore cannot tell the end of a segment",
            ReadChecks::endsWhereTheObjectEnds),
        Check.useful(
            GROUP,
            "refuses ranges that cannot be",
            "a fault of a program stays unseen",
            ReadChecks::refusesRangesThatCannotBe),
        // S3 reports a missing object only to users who may list.
        Check.vital(
                GROUP,
                "says at once that there is no such object",
                "an agent cannot tell a missing object from a failure, and may wait for ever",
                ReadChecks::saysAtOnceThatThereIsNoSuchObject)
            .needing(Permission.CREATE, Permission.READ, Permission.LIST),
        Check.useful(
            GROUP,
            "reads single bytes and skips",
            "a restore gets other bytes than were delivered, and refuses them",
            ReadChecks::readsSingleBytesAndSkips),
        Check.useful(
            GROUP,
            "has forty streams open at the same time",
            "lower --jobs of restore and verify",
            ReadChecks::hasAnyNumberOfStreamsOpen),
        Check.useful(
            GROUP,
            "reads in sixteen threads",
            "lower --jobs of restore and verify",
            ReadChecks::readsInManyThreads),
        Check.useful(
                GROUP,
                "lets a stream be closed before its end",
                "cat and ls leave connections behind",
                ReadChecks::canBeClosedBeforeTheEnd)
            .lengthy());
  }

  private static void givesExactlyTheRangeThatIsAskedFor(CheckPlace source) throws Exception {
    Destination place = source.open();
    byte[] content = bytes(1, LENGTH);
    put(place, "ranges", content);
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 40; i++) {
      int from = random.nextInt(LENGTH);
      int length = random.nextInt(random.nextBoolean() ? 100 : LENGTH);
      byte[] expected = Arrays.copyOfRange(content, from, Math.min(LENGTH, from + length));
      Expect.bytes(
          expected,
          read(place, "ranges", from, length),
          "seed " + seed + ": " + length + " bytes from " + from);
    }
    Expect.bytes(content, read(place, "ranges", 0, Long.MAX_VALUE), "the whole object");
    Expect.bytes(
        Arrays.copyOfRange(content, 5, LENGTH),
        read(place, "ranges", 5, Long.MAX_VALUE),
        "the object from its fifth byte");
  }

  private static void endsWhereTheObjectEnds(CheckPlace source) throws Exception {
    Destination place = source.open();
    byte[] content = bytes(2, 100);
    put(place, "short", content);
    Expect.bytes(new byte[] {content[99]}, read(place, "short", 99, 50), "the last byte");
    byte[] none = new byte[0];
    Expect.bytes(none, read(place, "short", 100, 1), "a range at the end");
    Expect.bytes(none, read(place, "short", 1L << 40, Long.MAX_VALUE), "a range behind the end");
    Expect.bytes(none, read(place, "short", 10, 0), "a range of no bytes");
    put(place, "empty", new byte[0]);
    Expect.bytes(none, read(place, "empty", 0, Long.MAX_VALUE), "an empty object");
  }

  private static void refusesRangesThatCannotBe(CheckPlace source) throws Exception {
    Destination place = source.open();
    put(place, "a", new byte[1]);
    Class<IllegalArgumentException> refused = IllegalArgumentException.class;
    Expect.failure(refused, () -> read(place, "a", -1, 1), "a range from -1");
    Expect.failure(refused, () -> read(place, "a", 0, -1), "a range of -1 bytes");
  }

  private static void saysAtOnceThatThereIsNoSuchObject(CheckPlace source) throws Exception {
    Destination place = source.open();
    put(place, "folder/object", new byte[1]);
    for (String key : List.of("nothing", "no/such/thing", "folder", "folder/object/below")) {
      NoSuchObjectException e =
          Expect.failure(
              NoSuchObjectException.class, () -> read(place, key, 0, 0), "a read of " + key);
      Expect.isTrue(e.permanent(), "that " + key + " is not there is said to pass");
      Expect.equal(key, e.key(), "the key in the failure");
      Expect.equal("read", e.operation(), "the operation in the failure");
      Expect.isTrue(!e.hint().isBlank(), "the failure has no hint");
    }
  }

  private static void readsSingleBytesAndSkips(CheckPlace source) throws Exception {
    Destination place = source.open();
    byte[] content = {0, -1, 127, -128, 5};
    put(place, "bytes", content);
    try (InputStream stream = place.read("bytes", 0, Long.MAX_VALUE)) {
      Expect.equal(0, stream.read(), "the first byte");
      Expect.equal(255, stream.read(), "the second byte");
      Expect.equal(1L, stream.skip(1), "the bytes skipped");
      Expect.equal(0, stream.read(new byte[3], 1, 0), "what a read of no bytes gives");
      Expect.equal(128, stream.read(), "the byte after the skipped one");
      Expect.equal(5, stream.read(), "the last byte");
      Expect.equal(-1, stream.read(), "the end");
      Expect.equal(-1, stream.read(new byte[3]), "the end once more");
    }
  }

  private static void hasAnyNumberOfStreamsOpen(CheckPlace source) throws Exception {
    Destination place = source.open();
    byte[] content = bytes(3, 40_000);
    put(place, "shared", content);
    InputStream[] streams = new InputStream[40];
    for (int i = 0; i < streams.length; i++) {
      streams[i] = place.read("shared", i, Long.MAX_VALUE);
    }
    for (int i = streams.length - 1; i >= 0; i--) {
      try (InputStream stream = streams[i]) {
        Expect.bytes(
            Arrays.copyOfRange(content, i, content.length),
            stream.readNBytes(content.length + 1),
            "stream " + i);
      }
    }
  }

  private static void readsInManyThreads(CheckPlace source) throws Exception {
    Destination place = source.open();
    byte[] content = bytes(4, LENGTH);
    put(place, "shared", content);
    together(
        16,
        i ->
            () -> {
              byte[] expected = Arrays.copyOfRange(content, i * 1000, LENGTH - i);
              byte[] found = read(place, "shared", i * 1000L, LENGTH - i * 1001L);
              Expect.bytes(expected, found, "thread " + i);
              return i;
            });
  }

  private static void canBeClosedBeforeTheEnd(CheckPlace source) throws Exception {
    Destination place = source.open();
    put(place, "large", bytes(5, LENGTH));
    for (int i = 0; i < 30; i++) {
      InputStream stream = place.read("large", 0, Long.MAX_VALUE);
      Expect.isTrue(stream.read() >= 0, "stream " + i + " is empty");
      stream.close();
    }
    Expect.equal(
        LENGTH, read(place, "large", 0, Long.MAX_VALUE).length, "the bytes of a read to the end");
  }
}
