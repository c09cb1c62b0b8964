package dev.tailwater.io.buffer;

/**
 * What a pool holds and what it has done; a snapshot.
 *
 * @param boundBytes the most that may be held
 * @param heldBytes native memory held now: in use, free, and on its way from or to the kernel;
 *     never above the bound
 * @param freeBytes of these, what nobody uses
 * @param peakHeldBytes the most that was ever held
 * @param reuses acquisitions that got a buffer that was used before
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
  /** What is lent now, in bytes. */
  public long inUseBytes() {
    return heldBytes - freeBytes;
  }
}
