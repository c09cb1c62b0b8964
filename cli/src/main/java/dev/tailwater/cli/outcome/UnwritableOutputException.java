package dev.tailwater.cli.outcome;

import java.io.IOException;

/** The standard output cannot be written. */
public final class UnwritableOutputException extends IOException {
  private static final long serialVersionUID = 1L;

  /** What the user can do about it. */
  public static final String HINT =
      "look at what stdout of this command goes to; if that is a file, make space there";

  private final boolean readerIsGone;

  /** Nothing is known of why. */
  public UnwritableOutputException() {
    super("the output could not be written to its end");
    this.readerIsGone = false;
  }

  private UnwritableOutputException(IOException cause, boolean readerIsGone) {
    super("the output could not be written to its end: " + cause.getMessage(), cause);
    this.readerIsGone = readerIsGone;
  }

  /** The reader of the pipe has closed it. */
  public static UnwritableOutputException readerIsGone(IOException cause) {
    return new UnwritableOutputException(cause, true);
  }

  /** It is for another reason, such as a full disk. */
  public static UnwritableOutputException because(IOException cause) {
    return new UnwritableOutputException(cause, false);
  }

  /** Whether that is because its reader wanted no more of it. */
  public boolean readerIsGone() {
    return readerIsGone;
  }
}
