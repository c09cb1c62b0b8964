package dev.tailwater.destination.testkit;

import static dev.tailwater.destination.testkit.ConformanceSupport.bytes;
import static dev.tailwater.destination.testkit.ConformanceSupport.keys;
import static dev.tailwater.destination.testkit.ConformanceSupport.put;
import static dev.tailwater.destination.testkit.ConformanceSupport.readAll;
import static dev.tailwater.destination.testkit.ConformanceSupport.together;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.Entry;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.destination.PutResult;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The sentences about {@link Destination#putSegment}. */
abstract class PutConformance {
  private static final int MEBIBYTE = 1 << 20;

  private final PlaceSource source;
  private final Set<Deviation> deviations;

  PutConformance(PlaceSource source, Set<Deviation> deviations) {
    this.source = source;
    this.deviations = deviations;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 511, 4095, 4096, 4097, 256 * 1024, 256 * 1024 + 1, 8 * MEBIBYTE + 3})
  void createsAnObjectOfExactlyTheseBytes(int length) throws IOException {
    Destination place = source.open();
    byte[] content = bytes(length, length);
    assertEquals(PutResult.CREATED, put(place, "web-1/log/0-1.zst", content));
    assertArrayEquals(content, readAll(place, "web-1/log/0-1.zst"));
    Entry entry = place.list("", Optional.empty(), 10).entries().getFirst();
    assertEquals("web-1/log/0-1.zst", entry.key());
    assertEquals(length, entry.sizeBytes());
    assertTrue(entry.modifiedMillis() > 0, "an object has a time");
  }

  @Test
  void leavesAnExistingObjectUntouchedWhateverItContains() throws IOException {
    Destination place = source.open();
    byte[] first = bytes(1, 1000);
    assertEquals(PutResult.CREATED, put(place, "a/b", first));
    assertEquals(PutResult.ALREADY_EXISTS, put(place, "a/b", first));
    assertEquals(PutResult.ALREADY_EXISTS, put(place, "a/b", bytes(2, 5000)));
    assertEquals(PutResult.ALREADY_EXISTS, put(place, "a/b", new byte[0]));
    assertArrayEquals(first, readAll(place, "a/b"));
    assertEquals(List.of("a/b"), keys(place, ""));
  }

  @Test
  void takesTheBytesFromPositionToLimitAndLeavesTheBufferAsItWas() throws IOException {
    Destination place = source.open();
    byte[] staging = bytes(3, 10_000);
    byte[] wanted = Arrays.copyOfRange(staging, 100, 9_000);
    ByteBuffer part = ByteBuffer.wrap(staging);
    part.position(100).limit(9_000);
    ByteBuffer direct = ByteBuffer.allocateDirect(10_000).put(staging).position(100).limit(9_000);
    List<ByteBuffer> buffers =
        List.of(part, part.slice(), part.asReadOnlyBuffer(), direct, direct.slice());
    for (int i = 0; i < buffers.size(); i++) {
      ByteBuffer buffer = buffers.get(i);
      int position = buffer.position();
      int limit = buffer.limit();
      assertEquals(PutResult.CREATED, place.putSegment("part/" + i, buffer));
      assertEquals(position, buffer.position());
      assertEquals(limit, buffer.limit());
      assertArrayEquals(wanted, readAll(place, "part/" + i));
    }
    assertArrayEquals(bytes(3, 10_000), staging);
  }

  @Test
  void doesNotUseTheBufferAfterTheReturn() throws IOException {
    Destination place = source.open();
    byte[] staging = bytes(4, 300_000);
    assertEquals(PutResult.CREATED, place.putSegment("staged", ByteBuffer.wrap(staging)));
    Arrays.fill(staging, (byte) 0);
    assertArrayEquals(bytes(4, 300_000), readAll(place, "staged"));
  }

  @Test
  void letsExactlyOneOfSixteenSimultaneousPutsCreateTheObject() throws Exception {
    Destination place = source.open();
    Destination other = source.open();
    for (int round = 0; round < 5; round++) {
      String key = "contested/" + round;
      List<PutResult> results =
          together(16, i -> () -> put(i % 2 == 0 ? place : other, key, bytes(i, 20_000 + i)));
      assertEquals(1, Collections.frequency(results, PutResult.CREATED), results::toString);
      int winner = results.indexOf(PutResult.CREATED);
      assertArrayEquals(bytes(winner, 20_000 + winner), readAll(place, key));
    }
  }

  @Test
  void keepsManySimultaneousPutsApart() throws Exception {
    Destination place = source.open();
    List<PutResult> results =
        together(16, i -> () -> put(place, "many/" + i % 4 + "/" + i, bytes(i, 600_000 + 7 * i)));
    assertEquals(16, Collections.frequency(results, PutResult.CREATED));
    for (int i = 0; i < 16; i++) {
      assertArrayEquals(bytes(i, 600_000 + 7 * i), readAll(place, "many/" + i % 4 + "/" + i));
    }
  }

  @Test
  void neverShowsAPartOfAnObject() throws Exception {
    Destination place = source.open();
    Destination readersPlace = source.open();
    int count = 12;
    AtomicBoolean done = new AtomicBoolean();
    together(
        2,
        thread ->
            () -> {
              if (thread == 0) {
                try {
                  for (int i = 0; i < count; i++) {
                    assertEquals(
                        PutResult.CREATED, put(place, "growing/" + i, bytes(i, MEBIBYTE + i)));
                  }
                } finally {
                  done.set(true);
                }
              } else {
                while (!done.get()) {
                  requireWholeObjects(readersPlace, count);
                }
              }
              return thread;
            });
    requireWholeObjects(readersPlace, count);
    assertEquals(count, keys(place, "growing/").size());
  }

  private void requireWholeObjects(Destination place, int count) throws IOException {
    for (Entry entry : place.list("", Optional.empty(), 100).entries()) {
      if (deviations.contains(Deviation.LISTS_UNFINISHED_OBJECTS)
          && !entry.key().matches("growing/[0-9]+")) {
        continue;
      }
      int i = Integer.parseInt(entry.key().substring("growing/".length()));
      assertEquals(MEBIBYTE + i, entry.sizeBytes(), "listed with a part of its bytes");
    }
    for (int i = count - 1; i >= 0; i -= 3) {
      try {
        assertArrayEquals(bytes(i, MEBIBYTE + i), readAll(place, "growing/" + i));
      } catch (NoSuchObjectException e) {
        assertEquals("growing/" + i, e.key());
      }
    }
  }

  @Test
  void keepsObjectsWhenItIsClosedAndOpenedAgain() throws IOException {
    try (Destination place = source.open()) {
      put(place, "kept/segment", bytes(5, 100));
      place.putObject("kept/object", bytes(6, 10));
    }
    Destination again = source.open();
    assertEquals(List.of("kept/object", "kept/segment"), keys(again, ""));
    assertArrayEquals(bytes(5, 100), readAll(again, "kept/segment"));
    assertArrayEquals(bytes(6, 10), readAll(again, "kept/object"));
    assertEquals(PutResult.ALREADY_EXISTS, put(again, "kept/segment", bytes(7, 3)));
  }
}
