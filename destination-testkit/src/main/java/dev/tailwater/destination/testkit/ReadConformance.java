package dev.tailwater.destination.testkit;

import static dev.tailwater.destination.testkit.ConformanceSupport.bytes;
import static dev.tailwater.destination.testkit.ConformanceSupport.put;
import static dev.tailwater.destination.testkit.ConformanceSupport.read;
import static dev.tailwater.destination.testkit.ConformanceSupport.together;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.NoSuchObjectException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The sentences about {@link Destination#read}. */
abstract class ReadConformance {
  private static final int LENGTH = 700_001;

  private final PlaceSource source;

  ReadConformance(PlaceSource source) {
    this.source = source;
  }

  @Test
  void givesExactlyTheRangeThatIsAskedFor() throws IOException {
    Destination place = source.open();
    byte[] content = bytes(1, LENGTH);
    put(place, "ranges", content);
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 40; i++) {
      int from = random.nextInt(LENGTH);
      int length = random.nextInt(random.nextBoolean() ? 100 : LENGTH);
      byte[] expected = Arrays.copyOfRange(content, from, Math.min(LENGTH, from + length));
      assertArrayEquals(
          expected,
          read(place, "ranges", from, length),
          () -> "seed " + seed + ": " + length + " bytes from " + from);
    }
    assertArrayEquals(content, read(place, "ranges", 0, Long.MAX_VALUE));
    assertArrayEquals(
        Arrays.copyOfRange(content, 5, LENGTH), read(place, "ranges", 5, Long.MAX_VALUE));
  }

  @Test
  void endsWhereTheObjectEnds() throws IOException {
    Destination place = source.open();
    byte[] content = bytes(2, 100);
    put(place, "short", content);
    assertArrayEquals(new byte[] {content[99]}, read(place, "short", 99, 50));
    assertEquals(0, read(place, "short", 100, 1).length);
    assertEquals(0, read(place, "short", 1L << 40, Long.MAX_VALUE).length);
    assertEquals(0, read(place, "short", 10, 0).length);
    put(place, "empty", new byte[0]);
    assertEquals(0, read(place, "empty", 0, Long.MAX_VALUE).length);
  }

  @Test
  void refusesRangesThatCannotBe() throws IOException {
    Destination place = source.open();
    put(place, "a", new byte[1]);
    assertThrows(IllegalArgumentException.class, () -> read(place, "a", -1, 1));
    assertThrows(IllegalArgumentException.class, () -> read(place, "a", 0, -1));
  }

  @Test
  void saysAtOnceThatThereIsNoSuchObject() throws IOException {
    Destination place = source.open();
    put(place, "folder/object", new byte[1]);
    for (String key : List.of("nothing", "no/such/thing", "folder", "folder/object/below")) {
      NoSuchObjectException e =
          assertThrows(NoSuchObjectException.class, () -> read(place, key, 0, 0), key);
      assertTrue(e.permanent());
      assertEquals(key, e.key());
      assertEquals("read", e.operation());
      assertFalse(e.hint().isBlank());
    }
  }

  @Test
  void readsSingleBytesAndSkips() throws IOException {
    Destination place = source.open();
    byte[] content = {0, -1, 127, -128, 5};
    put(place, "bytes", content);
    try (InputStream stream = place.read("bytes", 0, Long.MAX_VALUE)) {
      assertEquals(0, stream.read());
      assertEquals(255, stream.read());
      assertEquals(1, stream.skip(1));
      assertEquals(0, stream.read(new byte[3], 1, 0));
      assertEquals(128, stream.read());
      assertEquals(5, stream.read());
      assertEquals(-1, stream.read());
      assertEquals(-1, stream.read(new byte[3]));
    }
  }

  @Test
  void hasAnyNumberOfStreamsOpen() throws IOException {
    Destination place = source.open();
    byte[] content = bytes(3, 40_000);
    put(place, "shared", content);
    InputStream[] streams = new InputStream[40];
    for (int i = 0; i < streams.length; i++) {
      streams[i] = place.read("shared", i, Long.MAX_VALUE);
    }
    for (int i = streams.length - 1; i >= 0; i--) {
      try (InputStream stream = streams[i]) {
        assertArrayEquals(Arrays.copyOfRange(content, i, content.length), stream.readAllBytes());
      }
    }
  }

  @Test
  void readsInManyThreads() throws Exception {
    Destination place = source.open();
    byte[] content = bytes(4, LENGTH);
    put(place, "shared", content);
    together(
        16,
        i ->
            () -> {
              byte[] expected = Arrays.copyOfRange(content, i * 1000, LENGTH - i);
              assertArrayEquals(expected, read(place, "shared", i * 1000L, LENGTH - i * 1001L));
              return i;
            });
  }

  @Test
  void canBeClosedBeforeTheEnd() throws IOException {
    Destination place = source.open();
    put(place, "large", bytes(5, LENGTH));
    for (int i = 0; i < 30; i++) {
      InputStream stream = place.read("large", 0, Long.MAX_VALUE);
      assertTrue(stream.read() >= 0);
      stream.close();
    }
    assertEquals(LENGTH, read(place, "large", 0, Long.MAX_VALUE).length);
  }
}
