package dev.tailwater.lab.report;

import java.io.IOException;

/** A file is not what it should be: a result of the lab, of a format that is known. */
public final class ResultFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  ResultFormatException(String message) {
    super(message);
  }

  ResultFormatException(String message, Throwable cause) {
    super(message, cause);
  }
}
