package dev.tailwater.io.read;

/**
 * Figures of a {@link TailReader}: its calls and bytes by method, and its other calls.
 *
 * @param criticalCalls reads straight into the caller's array
 * @param ordinaryCalls reads of resident data through the direct buffer (one copy more)
 * @param coldCalls reads of data that was not resident, through the direct buffer
 * @param statusCalls fstat and statfs calls
 * @param residencyCalls cachestat calls
 * @param adviceCalls fadvise calls
 */
public record ReadStatistics(
    long criticalCalls,
    long criticalBytes,
    long ordinaryCalls,
    long ordinaryBytes,
    long coldCalls,
    long coldBytes,
    long statusCalls,
    long residencyCalls,
    long adviceCalls) {

  /** All bytes that were read. */
  public long totalBytes() {
    return criticalBytes + ordinaryBytes + coldBytes;
  }

  /** Bytes that were copied once more in user space. */
  public long copiedBytes() {
    return ordinaryBytes + coldBytes;
  }

  /** All system calls. */
  public long systemCalls() {
    return criticalCalls + ordinaryCalls + coldCalls + statusCalls + residencyCalls + adviceCalls;
  }
}
