package dev.tailwater.store;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A failure of a store. The message says what failed and where, the hint what to do. */
public abstract class StoreException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String hint;

  StoreException(String message, String hint, @Nullable Throwable cause) {
    super(message, cause);
    this.hint = hint;
  }

  /** Returns what the user should do next, in one or more sentences. */
  public String hint() {
    return hint;
  }
}
