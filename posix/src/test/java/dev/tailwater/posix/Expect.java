package dev.tailwater.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.function.Executable;

/** Expectations about failing calls. */
final class Expect {
  private Expect() {}

  /** Makes the call and returns its exception, which must have that errno. */
  static ErrnoException errno(Errno expected, Executable call) {
    ErrnoException failure = assertThrows(ErrnoException.class, call);
    assertEquals(expected, failure.errno(), failure.getMessage());
    return failure;
  }
}
