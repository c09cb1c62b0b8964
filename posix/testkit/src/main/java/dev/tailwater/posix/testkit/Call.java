package dev.tailwater.posix.testkit;

import java.util.List;

/**
 * A call that is about to be made.
 *
 * @param number how many calls there were, with this one: the first is 1
 * @param method the name of the method of {@link dev.tailwater.posix.FileCalls}
 * @param arguments as they were passed; primitives are boxed
 */
public record Call(long number, String method, List<Object> arguments) {
  public Call {
    arguments = List.copyOf(arguments);
  }

  /** Whether it is that method of {@link dev.tailwater.posix.FileCalls}. */
  public boolean is(String methodName) {
    return method.equals(methodName);
  }
}
