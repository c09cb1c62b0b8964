package dev.tailwater.lab.measure;

import java.io.IOException;

/** The time of an experiment ended before there was anything to report. */
public final class OutOfTimeException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param doing what was going on: {@code warming up}
   */
  public OutOfTimeException(String doing) {
    super("the time was up while " + doing);
  }
}
