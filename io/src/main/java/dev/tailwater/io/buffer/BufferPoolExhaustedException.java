package dev.tailwater.io.buffer;

/**
 * No buffer in time. The message says who holds what for how long: {@code no buffer of 10 MiB for
 * 'sealer-2' within 500 ms; 60 MiB in use: 3 × 10 MiB by 'sealer-1' for 12 s, ...}. With {@link
 * BufferPoolOptions#traceOrigins}, the suppressed exceptions show where those were acquired.
 */
public final class BufferPoolExhaustedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BufferPoolExhaustedException(String message) {
    super(message);
  }

  BufferPoolExhaustedException(String message, Throwable cause) {
    super(message, cause);
  }
}
