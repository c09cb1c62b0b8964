package dev.tailwater.destination.testkit;

/**
 * A call to a destination that is about to be made.
 *
 * @param number how many calls there were, with this one: the first is 1
 * @param method its name in {@link dev.tailwater.destination.Destination}: {@code putSegment},
 *     {@code read}, {@code list}, {@code putObject} or {@code delete}
 * @param key the key, or the prefix of a list
 */
public record DestinationCall(long number, String method, String key) {
  /** Whether it is a call of that method. */
  public boolean is(String methodName) {
    return method.equals(methodName);
  }
}
