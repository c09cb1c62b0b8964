package dev.tailwater.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.posix.linux.LinuxSchedulingCalls;
import dev.tailwater.posix.value.IoPriority;
import dev.tailwater.posix.value.SchedulingPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/** Each test changes only a thread that ends with it. */
class SchedulingCallsTest {
  /** The largest id that the kernel ever gives is 2^22. */
  private static final int NO_THREAD = (1 << 22) + 1;

  private final SchedulingCalls calls = LinuxSchedulingCalls.create();

  private static <T> T onNewThread(Callable<T> action) throws Exception {
    FutureTask<T> task = new FutureTask<>(action);
    Thread.ofPlatform().start(task);
    return task.get();
  }

  /** Fields of proc(5): 3 is the state, 19 the nice level, 41 the policy. */
  private static int statField(int threadId, int number) throws Exception {
    String stat = Files.readString(Path.of("/proc/self/task", threadId + "", "stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).strip().split(" ", -1);
    return Integer.parseInt(fields[number - 3]);
  }

  @Test
  void theCurrentThreadIsTheOneThatTheKernelKnows() throws Exception {
    onNewThread(
        () -> {
          assertEquals(
              Path.of("/proc/thread-self").toRealPath().getFileName().toString(),
              Integer.toString(calls.currentThread()));
          return 0;
        });
  }

  @Test
  void setsTheNiceLevelOfThisThreadAndOfNoOther() throws Exception {
    int mine = calls.currentThread();
    int before = calls.nice(mine);
    onNewThread(
        () -> {
          int thread = calls.currentThread();
          calls.setNice(thread, 11);
          assertEquals(11, calls.nice(thread));
          assertEquals(11, statField(thread, 19));
          calls.setNice(thread, 100);
          assertEquals(19, calls.nice(thread), "the nearest level that there is");
          return 0;
        });
    assertEquals(before, calls.nice(mine));
  }

  @Test
  void tellsNegativeNiceLevelsFromFailures() throws Exception {
    onNewThread(
        () -> {
          int thread = calls.currentThread();
          try {
            calls.setNice(thread, -1);
          } catch (ErrnoException e) {
            assumeTrue(e.errno() != Errno.EACCES, "needs CAP_SYS_NICE for a level below 0");
            throw e;
          }
          assertEquals(-1, calls.nice(thread));
          return 0;
        });
  }

  @Test
  void setsThePolicyOfAnyThreadOfTheProcess() throws Exception {
    int maker = calls.currentThread();
    onNewThread(
        () -> {
          int thread = calls.currentThread();
          calls.setPolicy(thread, SchedulingPolicy.BATCH);
          assertEquals(3, statField(thread, 41));
          calls.setPolicy(thread, SchedulingPolicy.NORMAL);
          assertEquals(0, statField(thread, 41), "back without a privilege");
          onNewThread(
              () -> {
                calls.setPolicy(thread, SchedulingPolicy.IDLE);
                return 0;
              });
          assertEquals(5, statField(thread, 41));
          return 0;
        });
    assertEquals(0, statField(maker, 41));
  }

  @Test
  void aTimeSliceChangesNeitherTheNiceLevelNorThePolicy() throws Exception {
    onNewThread(
        () -> {
          int thread = calls.currentThread();
          calls.setNice(thread, 3);
          calls.setTimeSlice(thread, 200_000);
          assertEquals(3, calls.nice(thread));
          assertEquals(0, statField(thread, 41), "SCHED_OTHER");
          return 0;
        });
    ErrnoException e =
        assertThrows(ErrnoException.class, () -> calls.setTimeSlice(Integer.MAX_VALUE, 200_000));
    assertEquals(Errno.ESRCH, e.errno());
  }

  @Test
  void setsAndTakesBackTheIoPriority() throws Exception {
    onNewThread(
        () -> {
          int thread = calls.currentThread();
          for (IoPriority priority :
              new IoPriority[] {
                IoPriority.IDLE, IoPriority.bestEffort(7), IoPriority.bestEffort(0)
              }) {
            calls.setIoPriority(thread, priority);
            assertEquals(priority, calls.ioPriority(thread));
          }
          calls.setIoPriority(thread, IoPriority.NONE);
          IoPriority none = calls.ioPriority(thread);
          // Kernels differ in whether they tell what follows from nice level 0.
          assertTrue(
              none.equals(IoPriority.NONE) || none.equals(IoPriority.bestEffort(4)),
              none.toString());
          return 0;
        });
  }

  @Test
  void aNewThreadBeginsWithWhatItsMakerHas() throws Exception {
    onNewThread(
        () -> {
          calls.setNice(calls.currentThread(), 7);
          calls.setPolicy(calls.currentThread(), SchedulingPolicy.BATCH);
          calls.setIoPriority(calls.currentThread(), IoPriority.bestEffort(6));
          return onNewThread(
              () -> {
                int thread = calls.currentThread();
                assertEquals(7, calls.nice(thread));
                assertEquals(3, statField(thread, 41));
                assertEquals(IoPriority.bestEffort(6), calls.ioPriority(thread));
                return 0;
              });
        });
  }

  @Test
  void withoutPrivilegeALoweredThreadStaysSoButItsBatchAndIoPriorityDoNot() throws Exception {
    onNewThread(
        () -> {
          Capabilities.dropOfThisThread();
          int thread = calls.currentThread();
          calls.setNice(thread, 10);
          assumeTrue(
              Files.readString(Path.of("/proc/self/limits"))
                  .lines()
                  .anyMatch(line -> line.matches("Max nice priority +0 +.*")),
              "needs RLIMIT_NICE of 0, as it is unless somebody raised it");
          ErrnoException up = assertThrows(ErrnoException.class, () -> calls.setNice(thread, 0));
          assertEquals(Errno.EACCES, up.errno());
          assertEquals(
              "setpriority thread " + thread + ", nice level 0: EACCES (Permission denied)",
              up.getMessage());
          calls.setPolicy(thread, SchedulingPolicy.BATCH);
          calls.setPolicy(thread, SchedulingPolicy.NORMAL);
          calls.setIoPriority(thread, IoPriority.IDLE);
          calls.setIoPriority(thread, IoPriority.NONE);
          calls.setPolicy(thread, SchedulingPolicy.IDLE);
          ErrnoException awake =
              assertThrows(
                  ErrnoException.class, () -> calls.setPolicy(thread, SchedulingPolicy.NORMAL));
          assertEquals(Errno.EPERM, awake.errno());
          return 0;
        });
  }

  @Test
  void saysThatThereIsNoSuchThread() {
    for (Change change :
        new Change[] {
          () -> calls.nice(NO_THREAD),
          () -> calls.setNice(NO_THREAD, 5),
          () -> calls.setPolicy(NO_THREAD, SchedulingPolicy.BATCH),
          () -> calls.ioPriority(NO_THREAD),
          () -> calls.setIoPriority(NO_THREAD, IoPriority.IDLE)
        }) {
      ErrnoException gone = assertThrows(ErrnoException.class, change::make);
      assertEquals(Errno.ESRCH, gone.errno(), gone.getMessage());
      assertTrue(gone.subject().startsWith("thread " + NO_THREAD), gone.subject());
    }
  }

  private interface Change {
    void make() throws ErrnoException;
  }

  @Test
  void countsTheProcessorTimeOfAllThreads() throws Exception {
    long before = calls.processCpuNanos();
    onNewThread(
        () -> {
          long until = System.nanoTime() + 1_000_000_000L;
          while (calls.processCpuNanos() < before + 5_000_000 && System.nanoTime() < until) {
            Thread.onSpinWait();
          }
          return 0;
        });
    assertTrue(calls.processCpuNanos() >= before + 5_000_000);
  }

  @Test
  void thereIsNoLevelBeyondTheLast() {
    assertThrows(IllegalArgumentException.class, () -> IoPriority.bestEffort(8));
    assertThrows(IllegalArgumentException.class, () -> new IoPriority(IoPriority.Kind.IDLE, 1));
  }
}
