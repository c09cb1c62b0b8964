package dev.tailwater.archive.age;

/** A text is not the key it should be. The message is for the user and never holds a secret. */
public final class KeyFormatException extends IllegalArgumentException {
  KeyFormatException(String message) {
    super(message);
  }
}
