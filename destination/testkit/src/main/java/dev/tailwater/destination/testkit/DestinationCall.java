package dev.tailwater.destination.testkit;

import java.util.Set;

/**
 * A call to a destination that is about to be made.
 *
 * @param number of the call, counted from 1
 * @param method its name in {@link dev.tailwater.destination.Destination}: {@code putSegment},
 *     {@code read}, {@code list}, {@code putObject}, {@code delete} or {@code beginSegment}; for an
 *     upload, {@code write}, {@code commit}, or {@code discard} for a close without a commit
 * @param key the key, or the prefix of a list
 */
public record DestinationCall(long number, String method, String key) {
  static final Set<String> METHODS =
      Set.of(
          "putSegment",
          "read",
          "list",
          "putObject",
          "delete",
          "beginSegment",
          "write",
          "commit",
          "discard");

  /** Returns whether the call is one of the given method. */
  public boolean is(String methodName) {
    return method.equals(methodName);
  }
}
