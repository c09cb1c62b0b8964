package dev.tailwater.posix.testkit;

import java.util.List;

/**
 * A call that is about to be made.
 *
 * @param number the number of this call; the first call has number 1
 * @param method the name of a method of {@link dev.tailwater.posix.FileCalls}
 * @param arguments the arguments as they were passed; primitives are boxed
 */
public record Call(long number, String method, List<Object> arguments) {
  public Call {
    arguments = List.copyOf(arguments);
  }

  /** Returns whether this is a call of that method of {@link dev.tailwater.posix.FileCalls}. */
  public boolean is(String methodName) {
    return method.equals(methodName);
  }
}
