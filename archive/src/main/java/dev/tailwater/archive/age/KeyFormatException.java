package dev.tailwater.archive.age;

/**
 * Signals that a text is not a valid key. The message is for the user and never contains a secret.
 */
public final class KeyFormatException extends IllegalArgumentException {
  KeyFormatException(String message) {
    super(message);
  }
}
