package dev.tailwater.io.async;

/** Who does the reads. */
public enum ReadEngine {
  /** The kernel: io_uring, Linux 5.6 and later. */
  URING,
  /** Threads that each do one pread(2) at a time. */
  THREADS
}
