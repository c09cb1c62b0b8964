package dev.tailwater.delivery.hang;

import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.JoinedFileCalls;

/**
 * The system calls on files below sources, which may be on a file server that does not answer. They
 * note what each thread waits for, so that {@link HangWatch} can tell when that takes too long.
 * Calls that no source is asked for, such as writes, are not noted. Thread-safe.
 */
public final class SourceCalls {
  private SourceCalls() {}

  /** Returns calls that are noted in the slots of the threads that make them. */
  public static FileCalls of(FileCalls calls, CallSlots slots, Problems problems) {
    return new JoinedFileCalls(
        new SourceNameCalls(calls, slots, new ClosedSources(problems)),
        new SourceReadCalls(calls, slots),
        calls,
        calls,
        new SourceRangeCalls(calls, slots),
        new SourceStatusCalls(calls, slots),
        new SourceAttributeCalls(calls, slots),
        new SourceWatchCalls(calls, slots),
        new SourceFanotifyCalls(calls, slots),
        calls);
  }
}
