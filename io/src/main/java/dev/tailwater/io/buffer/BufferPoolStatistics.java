package dev.tailwater.io.buffer;

/**
 * A snapshot of the figures of a {@link BufferPool}.
 *
 * @param boundBytes the most that may be held
 * @param heldBytes native memory held now: in use, free, and on its way from or to the kernel;
 *     never above the bound
 * @param freeBytes of these, the unused bytes
 * @param peakHeldBytes the most that was ever held
 * @param reuses acquisitions that got a used buffer
 * @param mappings acquisitions that got new memory from the kernel
 * @param evictions free buffers of other sizes that were given back to the kernel to make room
 * @param waits acquisitions that had to wait
 * @param refusals acquisitions that got nothing: not at once, or not in time
 * @param leaks buffers that were never released and were taken back
 * @param waiting acquisitions that wait now
 */
public record BufferPoolStatistics(
    long boundBytes,
    long heldBytes,
    long freeBytes,
    long peakHeldBytes,
    long reuses,
    long mappings,
    long evictions,
    long waits,
    long refusals,
    long leaks,
    int waiting) {
  /** Returns the bytes that are in use now. */
  public long inUseBytes() {
    return heldBytes - freeBytes;
  }
}
