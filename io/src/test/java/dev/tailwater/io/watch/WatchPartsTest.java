package dev.tailwater.io.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.io.watch.event.EventCollector;
import dev.tailwater.io.watch.event.EventMask;
import dev.tailwater.io.watch.event.EventParser;
import dev.tailwater.io.watch.event.HotDirectories;
import dev.tailwater.io.watch.event.InotifySource;
import dev.tailwater.io.watch.event.MovePairing;
import dev.tailwater.io.watch.event.Schedule;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The small parts of the watch, each alone. */
final class WatchPartsTest {
  private static ByteBuffer event(
      ByteBuffer to, int watch, int mask, int cookie, String name, int paddedBytes) {
    to.putInt(watch).putInt(mask).putInt(cookie).putInt(paddedBytes);
    byte[] bytes = name.getBytes(StandardCharsets.ISO_8859_1);
    return to.put(bytes).put(new byte[paddedBytes - bytes.length]);
  }

  @Test
  void parsesEventsWithAndWithoutNames() {
    ByteBuffer raw = ByteBuffer.allocate(256).order(ByteOrder.nativeOrder());
    event(raw, 1, EventMask.MODIFY, 0, "x", 16);
    event(raw, -1, EventMask.OVERFLOW, 0, "", 0);
    event(raw, 2, EventMask.MOVED_TO, 77, "exactly16bytes-1", 32);
    List<String> seen = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(256);
      MemorySegment.copy(MemorySegment.ofArray(raw.array()), 0, buffer, 0, raw.position());
      EventParser.Handler handler =
          (watch, mask, cookie, name) -> seen.add(watch + " " + mask + " " + cookie + " " + name);
      assertEquals(3, EventParser.parse(buffer, raw.position(), handler));
      assertThrows(
          IllegalStateException.class,
          () -> EventParser.parse(buffer, raw.position() - 20, handler));
    }
    assertEquals(
        List.of("1 2 0 x", "-1 16384 0 ", "2 128 77 exactly16bytes-1"), seen.subList(0, 3));
  }

  @Test
  void eventsOfUnknownWatchesMeanNothing() throws IOException {
    EventCollector collector = new EventCollector(new HotDirectories(() -> 0, 1, false));
    try (InotifySource source = InotifySource.open(LinuxFileCalls.create(), collector)) {
      source.event(5, EventMask.MODIFY, 0, PosixPath.of("x"));
      source.event(5, EventMask.IGNORED, 0, PosixPath.EMPTY);
      assertTrue(collector.isEmpty());
      source.event(-1, EventMask.OVERFLOW, 0, PosixPath.EMPTY);
    }
    assertTrue(collector.take().everything);
    assertEquals(1, collector.overflows());
  }

  @Test
  void halfARenameIsWaitedFor() {
    MovePairing moves = new MovePairing();
    moves.movedFrom(1);
    moves.movedFrom(2);
    moves.movedTo(1);
    assertTrue(moves.hasOpen());
    moves.movedTo(2);
    assertFalse(moves.hasOpen());
  }

  @Test
  void workTakesAtMostATwentiethOfTheTime() {
    long[] now = {5};
    Schedule schedule = new Schedule(() -> now[0], 10);
    assertEquals(10, schedule.millisLeft());
    now[0] += 10_000_000;
    assertTrue(schedule.due());
    schedule.ran(2_000_000);
    assertEquals(40, schedule.millisLeft());
    schedule.ran(1);
    assertEquals(10, schedule.millisLeft());
  }

  @Test
  void aPeriodOfAnyLengthIsNotOverAtOnce() {
    for (long periodMillis :
        List.of(Long.MAX_VALUE, Long.MAX_VALUE / 1_000_000, Long.MAX_VALUE / 1_000_000 + 1)) {
      long[] now = {Long.MAX_VALUE - 5};
      Schedule schedule = new Schedule(() -> now[0], periodMillis);
      now[0] += 10_000_000_000L; // wraps round, as System.nanoTime may
      assertFalse(schedule.due());
      schedule.ran(1);
      assertFalse(schedule.due());
      assertTrue(schedule.millisLeft() > 1L << 40);
    }
  }

  @Test
  void optionsRefusePeriodsThatCannotBe() {
    WatchOptions options = WatchOptions.defaults();
    assertThrows(IllegalArgumentException.class, () -> options.withPollMillis(0));
    assertThrows(IllegalArgumentException.class, () -> options.withReconcileMillis(-1));
    assertThrows(IllegalArgumentException.class, () -> options.withTickMillis(-1));
    assertThrows(IllegalArgumentException.class, () -> options.withPortionNames(0));
  }
}
