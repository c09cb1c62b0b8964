package dev.tailwater.lab.report;

import java.io.IOException;

/** Signals that a file is no result of the lab, or has an unknown format. */
public final class ResultFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  ResultFormatException(String message) {
    super(message);
  }

  ResultFormatException(String message, Throwable cause) {
    super(message, cause);
  }
}
