package dev.tailwater.store.datafile.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.store.simulated.Eventually;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Nobody's things are taken away while he is in. */
class ReaderGateTest {
  private static final int FREED = -1;

  @Test
  void givesASeatToOneAtATime() {
    ReaderGate gate = new ReaderGate("gate");
    int seat = gate.takeSeat();
    assertTrue(seat >= 0 && seat < ReaderGate.SEATS);
    assertTrue(gate.takeSeat() < 0);
    gate.leaveSeat(seat);
    assertEquals(seat, gate.takeSeat());
  }

  @Test
  void letsNobodyInOnceItIsClosed() {
    ReaderGate gate = new ReaderGate("the gate");
    gate.close();
    assertThrows(IllegalStateException.class, gate::enter);
    assertThrows(IllegalStateException.class, gate::takeSeat);
    assertThrows(IllegalStateException.class, gate::takeSeat, "the seat was not left");
  }

  @Test
  void waitsForWhoHasASeatAndForWhoHasNone() {
    ReaderGate gate = new ReaderGate("gate");
    int seat = gate.takeSeat();
    int inside = gate.enter();
    Thread waiting = Thread.ofPlatform().start(gate::awaitOthers);
    Eventually.until(() -> waiting.getState() == Thread.State.TIMED_WAITING, () -> "not waiting");
    gate.exit(inside);
    assertTrue(waiting.isAlive());
    gate.leaveSeat(seat);
    Eventually.until(() -> !waiting.isAlive(), () -> "waits for nobody");
  }

  /** Each thing is in use until it is replaced, and freed when all who may have it have left. */
  @Test
  void nobodyFindsFreedWhatHeCameInFor() throws Exception {
    ReaderGate gate = new ReaderGate("gate");
    AtomicReference<AtomicIntegerArray> thing = new AtomicReference<>(new AtomicIntegerArray(1));
    AtomicBoolean done = new AtomicBoolean();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<?>> readers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        Random random = new Random(i);
        readers.add(
            threads.submit(
                () -> {
                  while (!done.get()) {
                    look(gate, thing, random.nextBoolean());
                  }
                }));
      }
      for (int round = 0; round < 2000; round++) {
        AtomicIntegerArray old = thing.getAndSet(new AtomicIntegerArray(1));
        gate.awaitOthers();
        old.set(0, FREED);
      }
      done.set(true);
      for (Future<?> reader : readers) {
        reader.get();
      }
    }
  }

  private static void look(
      ReaderGate gate, AtomicReference<AtomicIntegerArray> thing, boolean seated) {
    int seat = seated ? gate.takeSeat() : -1;
    int inside = seat < 0 ? gate.enter() : 0;
    AtomicIntegerArray mine = Objects.requireNonNull(thing.get());
    boolean freed = false;
    for (int i = 0; i < 20; i++) {
      freed |= mine.get(0) == FREED;
    }
    if (seat < 0) {
      gate.exit(inside);
    } else {
      gate.leaveSeat(seat);
    }
    assertFalse(freed, seat < 0 ? "without a seat" : "with a seat");
  }
}
