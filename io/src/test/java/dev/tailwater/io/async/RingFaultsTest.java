package dev.tailwater.io.async;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.io.Descriptor;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.testkit.Call;
import dev.tailwater.posix.testkit.CrashError;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultPlan;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of random reads when the kernel refuses what io_uring needs. */
@Timeout(60)
class RingFaultsTest {
  @TempDir private Path directory;

  @SuppressWarnings("NullAway.Init") // before each test
  private ReadsFixture fixture;

  @BeforeEach
  void writeFile() throws IOException {
    ReadsFixture.assumeThereIs(ReadEngine.URING);
    fixture = new ReadsFixture(directory, 300_000);
  }

  @AfterEach
  void freeMemory() {
    fixture.close();
  }

  private FaultyFileCalls faulty(FaultPlan plan) {
    return FaultyFileCalls.wrap(fixture.calls, plan);
  }

  private static RandomReads open(FaultyFileCalls faulty) throws IOException {
    return RandomReads.open(faulty.calls(), RandomReadOptions.defaults());
  }

  private void reads(RandomReads reads) throws IOException {
    try (Descriptor descriptor = fixture.descriptor()) {
      List<ReadRequest> batch = fixture.randomBatch(RandomFile.of(descriptor), new Random(2), 200);
      fixture.check(batch, reads.readAll(batch));
    }
  }

  @Test
  void usesThreadsAndSaysWhyWhereTheKernelRefusesARing() throws IOException {
    for (Errno errno :
        new Errno[] {
          Errno.EPERM, Errno.ENOSYS, Errno.EMFILE, Errno.ENFILE, Errno.ENOMEM, Errno.EINVAL
        }) {
      FaultyFileCalls faulty = faulty(FaultPlan.failAll("ioUringSetup", errno));
      try (RandomReads reads = open(faulty)) {
        assertEquals(ReadEngine.THREADS, reads.engine().engine());
        String reason = reads.engine().reason();
        assertTrue(
            reason.startsWith(
                "threads, as io_uring cannot be used: io_uring_setup a new ring of 32 entries: "
                    + errno.name()),
            reason);
        reads(reads);
      }
      assertEquals(List.of(), faulty.openDescriptors());
    }
  }

  @Test
  void saysWhatToDoForEachRefusal() throws IOException {
    assertTrue(reasonFor(Errno.EPERM).contains("sysctl kernel.io_uring_disabled=0"));
    assertTrue(reasonFor(Errno.ENOSYS).contains("run Linux 5.6 or later"));
    assertTrue(reasonFor(Errno.EMFILE).contains("ulimit -n"));
    assertTrue(reasonFor(Errno.ENFILE).contains("fs.file-max"));
    assertTrue(reasonFor(Errno.ENOMEM).contains("ulimit -l"));
  }

  private String reasonFor(Errno errno) throws IOException {
    try (RandomReads reads = open(faulty(FaultPlan.failAll("ioUringSetup", errno)))) {
      return reads.engine().reason();
    }
  }

  @Test
  void usesThreadsWhereTheRingCannotBeMappedOrEntered() throws IOException {
    for (String method : new String[] {"mapRing", "ioUringEnter", "ioUringLimitWorkers"}) {
      FaultyFileCalls faulty = faulty(FaultPlan.failAll(method, Errno.EPERM));
      try (RandomReads reads = open(faulty)) {
        assertEquals(ReadEngine.THREADS, reads.engine().engine(), method);
        reads(reads);
      }
      assertEquals(List.of(), faulty.openDescriptors());
    }
    FaultPlan secondMapping = FaultPlan.once(ofNumber("mapRing", 2), new Fault.Fail(Errno.ENOMEM));
    FaultyFileCalls faulty = faulty(secondMapping);
    try (RandomReads reads = open(faulty)) {
      assertEquals(ReadEngine.THREADS, reads.engine().engine());
    }
    assertEquals(List.of(), faulty.openDescriptors());
    assertTrue(faulty.log().contains("unmapRing"));
  }

  @Test
  void failsToOpenWithAHintWhenIoUringIsRequired() {
    ErrnoException refusal =
        assertThrows(
            ErrnoException.class,
            () ->
                RandomReads.open(
                    faulty(FaultPlan.failAll("ioUringSetup", Errno.EPERM)).calls(),
                    RandomReadOptions.defaults().withEngine(ReadEngine.URING)));
    assertEquals(Errno.EPERM, refusal.errno());
    assertTrue(
        String.valueOf(refusal.getMessage()).contains("kernel.io_uring_disabled=0"),
        refusal.getMessage());
    assertTrue(
        String.valueOf(refusal.getMessage()).contains("do not require io_uring"),
        refusal.getMessage());
  }

  @Test
  void doesWithoutFlagsThatAnOlderKernelDoesNotKnow() throws IOException {
    FaultPlan older =
        FaultPlan.when(
                call -> call.is("ioUringSetup") && !call.arguments().get(1).equals(Set.of()),
                new Fault.Fail(Errno.EINVAL))
            .or(FaultPlan.failAll("ioUringLimitWorkers", Errno.EINVAL));
    try (RandomReads reads = open(faulty(older))) {
      assertEquals(ReadEngine.URING, reads.engine().engine());
      reads(reads);
    }
  }

  @Test
  void asksAgainWhenTheKernelIsInterruptedOrHasNoMemoryNow() throws IOException {
    for (Errno errno : new Errno[] {Errno.EINTR, Errno.EAGAIN, Errno.EBUSY, Errno.ENOMEM}) {
      AtomicInteger number = new AtomicInteger();
      FaultPlan everyOther =
          FaultPlan.when(
              call -> call.is("ioUringEnter") && number.incrementAndGet() % 2 == 0,
              new Fault.Fail(errno));
      try (RandomReads reads = open(faulty(everyOther))) {
        assertEquals(ReadEngine.URING, reads.engine().engine());
        reads(reads);
        assertTrue(number.get() > 4, errno.name());
      }
    }
  }

  @Test
  void failsTheRequestsThatTheKernelWillNotTakeAndNoneAfterThem() throws IOException {
    for (Errno errno : new Errno[] {Errno.EBADR, Errno.EAGAIN}) {
      AtomicBoolean refusing = new AtomicBoolean();
      FaultyFileCalls faulty =
          faulty(
              FaultPlan.when(
                  call -> call.is("ioUringEnter") && refusing.get(), new Fault.Fail(errno)));
      try (RandomReads reads = open(faulty);
          Descriptor descriptor = fixture.descriptor()) {
        ReadRequest request = new ReadRequest(RandomFile.of(descriptor), 0, fixture.target(10));
        refusing.set(true);
        for (ReadResult result : reads.readAll(List.of(request, request, request))) {
          assertEquals(errno, result.failure().orElseThrow().errno());
        }
        refusing.set(false);
        reads(reads);
      }
      assertEquals(List.of(), faulty.openDescriptors());
    }
  }

  @Test
  void anInterruptedThreadIsAsPatientWithAKernelWithoutMemory() throws IOException {
    AtomicLong refusedSinceNanos = new AtomicLong();
    AtomicBoolean refusing = new AtomicBoolean();
    FaultPlan forAWhile =
        FaultPlan.when(
            call -> {
              if (!refusing.get() || !call.is("ioUringEnter")) {
                return false;
              }
              refusedSinceNanos.compareAndSet(0, System.nanoTime());
              return System.nanoTime() - refusedSinceNanos.get() < 300_000_000;
            },
            new Fault.Fail(Errno.EAGAIN));
    try (RandomReads reads = open(faulty(forAWhile))) {
      refusing.set(true);
      Thread.currentThread().interrupt();
      reads(reads);
      assertTrue(Thread.interrupted(), "the interrupt was lost");
    } finally {
      Thread.interrupted();
    }
  }

  @Test
  void aWakeUpThatFailsLeavesNoRequestBehind() throws Exception {
    AtomicBoolean failing = new AtomicBoolean();
    FaultPlan wakeUp =
        FaultPlan.when(
            call -> call.is("signalEventFd") && failing.getAndSet(false),
            new Fault.Fail(Errno.EBADF));
    try (RandomReads reads = open(faulty(wakeUp))) {
      Throwable[] thrown = new Throwable[1];
      Thread virtual =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      failsToWakeAndReadsLater(reads, failing);
                    } catch (Throwable e) {
                      thrown[0] = e;
                    }
                  });
      virtual.join();
      assertNull(thrown[0]);
    }
  }

  private void failsToWakeAndReadsLater(RandomReads reads, AtomicBoolean failing)
      throws IOException {
    try (Descriptor descriptor = fixture.descriptor()) {
      ReadRequest request = new ReadRequest(RandomFile.of(descriptor), 0, fixture.target(10));
      for (int round = 0; round < 10; round++) {
        failing.set(true);
        try {
          fixture.check(List.of(request), reads.readAll(List.of(request)));
        } catch (ErrnoException e) {
          assertEquals(Errno.EBADF, e.errno());
          awaitNothing(request.target().fill((byte) 0));
        }
        failing.set(false);
        fixture.check(List.of(request), reads.readAll(List.of(request)));
      }
    }
  }

  /** What failed is not read after all, into memory that may be somebody else's by now. */
  private static void awaitNothing(MemorySegment target) {
    for (int i = 0; i < 20; i++) {
      LockSupport.parkNanos(1_000_000);
      assertEquals(-1, target.mismatch(MemorySegment.ofArray(new byte[(int) target.byteSize()])));
    }
  }

  @Test
  void endsWithTheCrashWhereverItComes() throws IOException {
    for (int at = 2; at < 12; at++) {
      int number = at;
      FaultyFileCalls faulty =
          faulty(FaultPlan.once(ofNumber("ioUringEnter", number), new Fault.CrashAfter()));
      RandomReads reads =
          RandomReads.open(faulty.calls(), RandomReadOptions.defaults().withQueueDepth(2));
      try (Descriptor descriptor = fixture.descriptor()) {
        RandomFile file = RandomFile.of(descriptor);
        List<ReadRequest> batch = fixture.randomBatch(file, new Random(number + 40L), 200);
        assertThrows(
            CrashError.class,
            () -> {
              for (int i = 0; i < 100; i++) {
                reads.readAll(batch);
              }
            });
      }
      assertThrows(CrashError.class, reads::openQueue);
      faulty.kill();
      assertEquals(List.of(), faulty.openDescriptors());
    }
  }

  @Test
  void tellsVirtualThreadsThatTheThreadTheyShareBrokeDown() throws Exception {
    FaultyFileCalls faulty =
        faulty(FaultPlan.once(ofNumber("ioUringEnter", 4), new Fault.CrashAfter()));
    RandomReads reads = open(faulty);
    try (Descriptor descriptor = fixture.descriptor()) {
      RandomFile file = RandomFile.of(descriptor);
      List<ReadRequest> batch = fixture.randomBatch(file, new Random(9), 400);
      Throwable[] thrown = new Throwable[1];
      Thread virtual =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      for (int i = 0; i < 100; i++) {
                        reads.readAll(batch);
                      }
                    } catch (Throwable e) {
                      thrown[0] = e;
                    }
                  });
      virtual.join();
      assertTrue(
          thrown[0] instanceof CrashError || thrown[0].getCause() instanceof CrashError,
          () -> "thrown: " + thrown[0]);
    }
    faulty.kill();
  }

  @Test
  void waitsForARingOfAnotherCallerWhenNoMoreCanBeMade() throws Exception {
    AtomicInteger number = new AtomicInteger();
    FaultPlan onlyOne =
        FaultPlan.when(
            call -> call.is("ioUringSetup") && number.incrementAndGet() > 2,
            new Fault.Fail(Errno.EMFILE));
    try (RandomReads reads = open(faulty(onlyOne))) {
      Thread[] callers = new Thread[8];
      AtomicInteger good = new AtomicInteger();
      for (int i = 0; i < callers.length; i++) {
        callers[i] =
            Thread.ofPlatform()
                .start(
                    () -> {
                      try {
                        for (int round = 0; round < 20; round++) {
                          reads(reads);
                        }
                        good.incrementAndGet();
                      } catch (IOException e) {
                        throw new AssertionError(e);
                      }
                    });
      }
      for (Thread caller : callers) {
        caller.join();
      }
      assertEquals(callers.length, good.get());
      assertTrue(number.get() > 2);
    }
  }

  private static Predicate<Call> ofNumber(String method, int number) {
    AtomicInteger count = new AtomicInteger();
    return call -> call.is(method) && count.incrementAndGet() == number;
  }
}
