package dev.tailwater.posix.value;

/** What moves the bytes of a streaming copy. */
public enum CopyEngine {
  /** x86-64, 16 bytes at a time. */
  SSE2(true),
  /** x86-64, 32 bytes at a time. */
  AVX2(true),
  /** x86-64, a whole cache line at a time. */
  AVX512(true),
  /** aarch64, a pair of 16-byte registers at a time. */
  STNP(true),
  /** The C library's memcpy, for want of the others. */
  MEMCPY(false);

  private final boolean nonTemporal;

  CopyEngine(boolean nonTemporal) {
    this.nonTemporal = nonTemporal;
  }

  /** Whether its stores go past the caches. */
  public boolean nonTemporal() {
    return nonTemporal;
  }
}
