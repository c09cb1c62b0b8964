package dev.tailwater.destination.testkit;

/** What becomes of a call to a destination. */
public enum DestinationFault {
  /** It is made as if nothing were there. */
  PROCEED,
  /** It is not made, and fails with a transient failure. */
  FAIL_TRANSIENT,
  /** It is not made, and fails with a permanent failure. */
  FAIL_PERMANENT,
  /** It is made, and then fails with a transient failure: the answer was lost. */
  LOSE_ANSWER,
  /** The process dies before the call has any effect. */
  CRASH_BEFORE,
  /** The process dies when the call is done and before its caller knows. */
  CRASH_AFTER
}
