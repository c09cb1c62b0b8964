package dev.tailwater.destination.contract;

import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.Callable;

/** Assertions of the checks. They throw a {@link ContractViolationException}. */
final class Expect {
  private static final int SHOWN_CHARACTERS = 300;

  private Expect() {}

  static void equal(Object expected, Object found, String what) throws ContractViolationException {
    if (!Objects.equals(expected, found)) {
      throw new ContractViolationException(
          what + ": expected is " + shown(expected) + ", found was " + shown(found));
    }
  }

  static void bytes(byte[] expected, byte[] found, String what) throws ContractViolationException {
    int wrong = Arrays.mismatch(expected, found);
    if (wrong >= 0) {
      throw new ContractViolationException(
          what
              + ": expected are "
              + expected.length
              + " bytes, found were "
              + found.length
              + ", and the first that differs is at "
              + wrong);
    }
  }

  static void isTrue(boolean condition, String otherwise) throws ContractViolationException {
    if (!condition) {
      throw new ContractViolationException(otherwise);
    }
  }

  /** Checks that the call fails with the expected exception; returns that exception. */
  static <T extends Exception> T failure(Class<T> expected, Callable<?> call, String what)
      throws ContractViolationException {
    Object result;
    try {
      result = call.call();
    } catch (Exception e) {
      if (expected.isInstance(e)) {
        return expected.cast(e);
      }
      throw new ContractViolationException(
          what + ": it should fail with " + expected.getSimpleName() + ", and failed with " + e, e);
    }
    throw new ContractViolationException(
        what + ": it should fail with " + expected.getSimpleName() + ", and gave " + shown(result));
  }

  private static String shown(Object value) {
    String text = value instanceof byte[] bytes ? bytes.length + " bytes" : String.valueOf(value);
    return text.length() <= SHOWN_CHARACTERS
        ? text
        : text.substring(0, SHOWN_CHARACTERS) + "... (" + text.length() + " characters)";
  }
}
