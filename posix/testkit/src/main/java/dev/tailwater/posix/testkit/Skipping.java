package dev.tailwater.posix.testkit;

import java.io.IOException;
import org.junit.jupiter.api.Assumptions;

/**
 * Skips the test that asks for something that cannot be had here. Who is no test asks for it by the
 * methods that throw {@link UnavailableException}, and then needs no JUnit.
 */
public final class Skipping {
  private Skipping() {}

  /** Makes something that may not be available. */
  @FunctionalInterface
  public interface Opening<T> {
    T open() throws IOException;
  }

  /** What is opened; or the end of the test, with the reason. */
  public static <T> T unlessAvailable(Opening<T> opening) throws IOException {
    try {
      return opening.open();
    } catch (UnavailableException e) {
      return Assumptions.abort(String.valueOf(e.getMessage()));
    }
  }
}
