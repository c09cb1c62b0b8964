package dev.tailwater.posix.testkit;

import java.io.IOException;
import org.junit.jupiter.api.Assumptions;

/**
 * Skips tests that need something that is not available on this machine. Code that is not a test
 * calls the methods that throw {@link UnavailableException} directly, and then does not need JUnit.
 */
public final class Skipping {
  private Skipping() {}

  /** A method that opens something that may not be available. */
  @FunctionalInterface
  public interface Opening<T> {
    T open() throws IOException;
  }

  /** Returns what was opened, or skips the test with the reason. */
  public static <T> T unlessAvailable(Opening<T> opening) throws IOException {
    try {
      return opening.open();
    } catch (UnavailableException e) {
      return Assumptions.abort(String.valueOf(e.getMessage()));
    }
  }
}
