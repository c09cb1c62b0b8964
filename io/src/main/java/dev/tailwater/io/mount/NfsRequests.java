package dev.tailwater.io.mount;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import java.util.Map;
import java.util.Optional;

/**
 * How many requests an NFS mount has sent since it was mounted, as the kernel counts them by
 * operation in /proc/self/mountstats: those of every process that uses the mount. A request that is
 * sent again is counted once.
 *
 * @param byOperation by the name of the protocol, {@code WRITE}, {@code COMMIT}; those that were
 *     never sent have 0
 */
public record NfsRequests(Map<String, Long> byOperation) {
  public NfsRequests {
    byOperation = Map.copyOf(byOperation);
  }

  /**
   * Asks for those until now; empty when nothing is mounted there, it is no NFS, or /proc is not
   * mounted. One read of /proc.
   *
   * @param mountPoint as {@link MountInfo#mountPoint} has it
   * @throws ErrnoException as reading /proc gives it
   */
  public static Optional<NfsRequests> of(FileCalls calls, PosixPath mountPoint)
      throws ErrnoException {
    Map<String, Long> counted =
        MountStatistics.requests(new ProcFiles(calls).mountStatistics(), mountPoint);
    return counted.isEmpty() ? Optional.empty() : Optional.of(new NfsRequests(counted));
  }

  /** Requests that carried data to the server. */
  public long writes() {
    return byOperation.getOrDefault("WRITE", 0L);
  }
}
