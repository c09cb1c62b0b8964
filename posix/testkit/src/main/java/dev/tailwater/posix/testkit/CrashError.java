package dev.tailwater.posix.testkit;

/**
 * Signals that the simulated process is dead. {@link FaultyFileCalls} throws it from the call that
 * crashed and from every later call. It is an {@link Error}, so that code under test does not
 * handle it.
 */
public final class CrashError extends Error {
  private static final long serialVersionUID = 1L;

  private final long callNumber;

  /** Creates the error; public for other test kits whose processes die too. */
  public CrashError(String method, long callNumber) {
    super("crashed at call " + callNumber + " (" + method + ")");
    this.callNumber = callNumber;
  }

  /** Returns the number of the call that crashed; the first call has number 1. */
  public long callNumber() {
    return callNumber;
  }
}
