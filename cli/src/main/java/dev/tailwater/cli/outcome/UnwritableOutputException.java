package dev.tailwater.cli.outcome;

import java.io.IOException;

/** The standard output cannot be written. */
public final class UnwritableOutputException extends IOException {
  private static final long serialVersionUID = 1L;

  /** What the user can do about it. */
  public static final String HINT =
      "stdout of this command takes no more: make space where it is redirected to, or let its"
          + " reader read to the end";

  public UnwritableOutputException() {
    super("the output cannot be written: its reader is gone, or its disk is full");
  }
}
