package dev.tailwater.destination.testkit;

import static dev.tailwater.destination.testkit.ConformanceSupport.bytes;
import static dev.tailwater.destination.testkit.ConformanceSupport.keys;
import static dev.tailwater.destination.testkit.ConformanceSupport.put;
import static dev.tailwater.destination.testkit.ConformanceSupport.read;
import static dev.tailwater.destination.testkit.ConformanceSupport.readAll;
import static dev.tailwater.destination.testkit.ConformanceSupport.together;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.destination.PutResult;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The sentences about {@link Destination#putObject} and {@link Destination#delete}. */
abstract class ChangeConformance {
  private final PlaceSource source;

  ChangeConformance(PlaceSource source) {
    this.source = source;
  }

  @Test
  void createsAndReplacesSmallObjects() throws IOException {
    Destination place = source.open();
    for (int length : new int[] {5, 5000, 0, 70_000, 3}) {
      byte[] content = bytes(length, length);
      place.putObject("web-1/stream/stream.json", content);
      assertArrayEquals(bytes(length, length), content);
      Arrays.fill(content, (byte) 0);
      assertArrayEquals(bytes(length, length), readAll(place, "web-1/stream/stream.json"));
      assertEquals(List.of("web-1/stream/stream.json"), keys(place, ""));
    }
  }

  @Test
  void replacesAtomically() throws Exception {
    Destination place = source.open();
    place.putObject("flag", filled(0));
    AtomicBoolean done = new AtomicBoolean();
    together(
        3,
        thread ->
            () -> {
              if (thread == 0) {
                try {
                  for (int i = 1; i < 40; i++) {
                    place.putObject("flag", filled(i));
                  }
                } finally {
                  done.set(true);
                }
              } else {
                while (!done.get()) {
                  byte[] seen = readAll(place, "flag");
                  assertArrayEquals(filled(seen[0]), seen, "a mixture of two versions");
                }
              }
              return thread;
            });
    assertArrayEquals(filled(39), readAll(place, "flag"));
  }

  private static byte[] filled(int version) {
    byte[] content = new byte[30_000 + 1000 * version];
    Arrays.fill(content, (byte) version);
    return content;
  }

  @Test
  void leavesOneOfSeveralSimultaneousVersions() throws Exception {
    Destination place = source.open();
    together(
        16,
        i ->
            () -> {
              place.putObject("flag", filled(i));
              return i;
            });
    byte[] last = readAll(place, "flag");
    assertArrayEquals(filled(last[0]), last);
    assertEquals(List.of("flag"), keys(place, ""));
  }

  @Test
  void doesNotLetASegmentReplaceASmallObject() throws IOException {
    Destination place = source.open();
    place.putObject("one", bytes(1, 10));
    assertEquals(PutResult.ALREADY_EXISTS, put(place, "one", bytes(2, 20)));
    assertArrayEquals(bytes(1, 10), readAll(place, "one"));
  }

  @Test
  void deletesForReadersAndLists() throws IOException {
    Destination place = source.open();
    put(place, "a/1", new byte[1]);
    put(place, "a/2", new byte[2]);
    place.delete("a/1");
    assertThrows(NoSuchObjectException.class, () -> read(place, "a/1", 0, 1));
    assertEquals(List.of("a/2"), keys(place, ""));
  }

  @Test
  void deletesWhatIsNotThereWithoutComplaint() throws IOException {
    Destination place = source.open();
    put(place, "a/1", new byte[1]);
    for (String key : List.of("never", "no/such/folder", "a", "a/1/below", "a/1", "a/1")) {
      place.delete(key);
    }
    assertEquals(List.of(), keys(place, ""));
  }

  @Test
  void createsADeletedObjectAnew() throws IOException {
    Destination place = source.open();
    for (int i = 0; i < 3; i++) {
      assertEquals(PutResult.CREATED, put(place, "again/and", bytes(i, 10 + i)));
      assertArrayEquals(bytes(i, 10 + i), readAll(place, "again/and"));
      place.delete("again/and");
    }
    assertEquals(List.of(), keys(place, ""));
  }
}
