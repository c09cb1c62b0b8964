package dev.tailwater.delivery.neighbour;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.SchedulingCalls;
import dev.tailwater.posix.value.IoPriority;
import dev.tailwater.posix.value.SchedulingPolicy;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Lowers the priority of threads, and raises it again as far as the kernel allows. Batch scheduling
 * and I/O priorities can always be taken back; nice levels and idle scheduling only with
 * CAP_SYS_NICE or RLIMIT_NICE, so threads with those must be replaced by new ones. Thread-safe.
 */
public final class ThreadPriorities {
  /** The shortest that there is. */
  private static final long PROMPT_SLICE_NANOS = 100_000;

  private final SchedulingCalls calls;
  private final NeighbourSettings settings;

  @GuardedBy("this")
  private final Set<String> failures = new LinkedHashSet<>();

  @GuardedBy("this")
  private final Set<Integer> lowered = new LinkedHashSet<>();

  ThreadPriorities(SchedulingCalls calls, NeighbourSettings settings) {
    this.calls = calls;
    this.settings = settings;
  }

  /**
   * A thread whose priority was lowered.
   *
   * @param threadId the kernel's number of the thread
   * @param niceBefore its nice level before
   */
  public record Lowered(int threadId, int niceBefore) {}

  /** Lowers the calling thread, which can be replaced; empty if the settings do not ask for it. */
  public Optional<Lowered> lower() {
    return lower(OptionalInt.of(settings.nice()), settings.policy());
  }

  /** Lowers the calling thread in ways that can always be taken back. */
  public Optional<Lowered> lowerRevocably() {
    return lower(OptionalInt.empty(), revocablePolicy());
  }

  private SchedulingPolicy revocablePolicy() {
    return settings.policy() == SchedulingPolicy.NORMAL
        ? SchedulingPolicy.NORMAL
        : SchedulingPolicy.BATCH;
  }

  private Optional<Lowered> lower(OptionalInt nice, SchedulingPolicy policy) {
    if (!settings.lowersThreads()) {
      return Optional.empty();
    }
    int threadId = calls.currentThread();
    int niceBefore = 0;
    try {
      niceBefore = calls.nice(threadId);
      if (nice.isPresent() && nice.getAsInt() > niceBefore) {
        calls.setNice(threadId, nice.getAsInt());
      }
    } catch (ErrnoException e) {
      failed(e);
    }
    attempt(() -> calls.setPolicy(threadId, policy));
    attempt(() -> calls.setIoPriority(threadId, settings.ioPriority()));
    synchronized (this) {
      lowered.add(threadId);
    }
    return Optional.of(new Lowered(threadId, niceBefore));
  }

  /** Lets the calling thread run soon after it wakes, where the kernel can do that. */
  void runPromptly() {
    attempt(() -> calls.setTimeSlice(calls.currentThread(), PROMPT_SLICE_NANOS));
  }

  private interface Change {
    void make() throws ErrnoException;
  }

  private void attempt(Change change) {
    try {
      change.make();
    } catch (ErrnoException e) {
      failed(e);
    }
  }

  private synchronized void failed(ErrnoException e) {
    failures.add(e.operation() + ": " + e.errno() + " (" + e.errno().text() + ")");
  }

  /**
   * Raises a thread again; may be called from any thread.
   *
   * @return whether it is now as before; otherwise its nice level or its policy is still low
   */
  public boolean raise(Lowered thread) {
    try {
      calls.setIoPriority(thread.threadId(), IoPriority.NONE);
      calls.setPolicy(thread.threadId(), SchedulingPolicy.NORMAL);
      if (calls.nice(thread.threadId()) > thread.niceBefore()) {
        calls.setNice(thread.threadId(), thread.niceBefore());
      }
      return true;
    } catch (ErrnoException e) {
      return false; // No privilege for that, or the thread has ended.
    }
  }

  /** Lowers a raised thread again, in ways that can always be taken back. */
  public void lowerAgain(Lowered thread) {
    attempt(() -> calls.setPolicy(thread.threadId(), revocablePolicy()));
    attempt(() -> calls.setIoPriority(thread.threadId(), settings.ioPriority()));
  }

  /** Notes that a lowered thread ends. */
  public synchronized void ended(Lowered thread) {
    lowered.remove(thread.threadId());
  }

  /** Returns the threads that have been lowered and have not ended. */
  synchronized List<Integer> threadIds() {
    return new ArrayList<>(lowered);
  }

  /** Returns what the kernel has refused, in words. */
  synchronized List<String> failures() {
    return List.copyOf(failures);
  }
}
