package dev.tailwater.lab.buffer;

/** The source of a buffer. */
enum BufferWay {
  HEAP("heap", "heap"),
  DIRECT("direct", "direct"),
  /** A confined arena, whose buffer only its thread uses, as is the case for most buffers. */
  ARENA("arena", "confinedArena"),
  SHARED_ARENA("shared arena", "sharedArena"),
  POOL("pool", "pool");

  private final String words;
  private final String method;

  BufferWay(String words, String method) {
    this.words = words;
    this.method = method;
  }

  /** Returns the method of {@link BufferAllocationBenchmark}. */
  String method() {
    return method;
  }

  @Override
  public String toString() {
    return words;
  }
}
