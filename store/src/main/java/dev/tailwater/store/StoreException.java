package dev.tailwater.store;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Something is wrong with a store. The message says what and where; the hint what to do. */
public abstract sealed class StoreException extends IOException
    permits DamagedStoreException,
        StoreFailedException,
        StoreLockedException,
        StoreReadException,
        StoreUnavailableException,
        StoreWriteException,
        UnsupportedStoreFormatException {
  private static final long serialVersionUID = 1L;

  private final String hint;

  StoreException(String message, String hint, @Nullable Throwable cause) {
    super(message, cause);
    this.hint = hint;
  }

  /** One or more sentences for the user: what to do next. */
  public String hint() {
    return hint;
  }
}
