package dev.tailwater.destination.testkit;

/** A fault that a test injects into a call to a destination. */
public enum DestinationFault {
  /** No fault. */
  PROCEED,
  /** The call is not made and fails with a transient failure. */
  FAIL_TRANSIENT,
  /** The call is not made and fails with a permanent failure. */
  FAIL_PERMANENT,
  /** The call is not made and fails since the object is in cold storage; for reads. */
  FAIL_COLD,
  /** The call is made and then fails with a transient failure, as if the answer was lost. */
  LOSE_ANSWER,
  /** The process dies before the call has any effect. */
  CRASH_BEFORE,
  /** The process dies after the call and before the caller gets the result. */
  CRASH_AFTER
}
