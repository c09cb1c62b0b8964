package dev.tailwater.posix.value;

/** The instructions that move the bytes of a streaming copy. */
public enum CopyEngine {
  /** x86-64, 16 bytes per store. */
  SSE2(true),
  /** x86-64, 32 bytes per store. */
  AVX2(true),
  /** x86-64, a whole cache line per store. */
  AVX512(true),
  /** aarch64, a pair of 16-byte registers per store. */
  STNP(true),
  /** The C library's memcpy, if no other engine is available. */
  MEMCPY(false);

  private final boolean nonTemporal;

  CopyEngine(boolean nonTemporal) {
    this.nonTemporal = nonTemporal;
  }

  /** Returns whether the stores of this engine bypass the processor's caches. */
  public boolean nonTemporal() {
    return nonTemporal;
  }
}
