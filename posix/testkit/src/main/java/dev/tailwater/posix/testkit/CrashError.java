package dev.tailwater.posix.testkit;

/**
 * The process is as good as dead: thrown by the call at which {@link FaultyFileCalls} crashed, and
 * by every one after it. An {@link Error}, so that code under test does not handle it.
 */
public final class CrashError extends Error {
  private static final long serialVersionUID = 1L;

  private final long callNumber;

  /** For other test kits whose processes die too. */
  public CrashError(String method, long callNumber) {
    super("crashed at call " + callNumber + " (" + method + ")");
    this.callNumber = callNumber;
  }

  /** The call at which the crash was; calls are counted from 1. */
  public long callNumber() {
    return callNumber;
  }
}
