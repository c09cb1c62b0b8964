package dev.tailwater.io.buffer;

import org.jspecify.annotations.Nullable;

/** What an exception says. */
final class Messages {
  private Messages() {}

  /** Never null: a missing exception or message is an empty text. */
  static String message(@Nullable Throwable failure) {
    String text = failure == null ? null : failure.getMessage();
    return text == null ? "" : text;
  }
}
