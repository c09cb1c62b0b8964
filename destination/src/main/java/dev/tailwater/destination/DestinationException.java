package dev.tailwater.destination;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.EscapedText;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;

/**
 * Signals that a call to a destination failed. The message reads {@code put web-1/a/0-5.zst at
 * file:///archive: pwrite ...: ENOSPC (No space left on device)}; control characters in it are
 * escaped, since a key may come from a hostile archive.
 */
public abstract sealed class DestinationException extends IOException
    permits TransientDestinationException, PermanentDestinationException {
  /** The hint where nothing is known but that the same call may succeed later. */
  public static final String MAY_PASS = "Such failures often pass.";

  private static final long serialVersionUID = 1L;

  private final String operation;
  private final String key;
  private final String reason;
  private final String hint;

  DestinationException(URI destination, String operation, String key, String reason, String hint) {
    super(message(destination, operation, key, reason));
    this.operation = operation;
    this.key = key;
    this.reason = EscapedText.of(reason);
    this.hint = hint;
  }

  DestinationException(
      URI destination, String operation, String key, String reason, String hint, Throwable cause) {
    super(message(destination, operation, key, reason), cause);
    this.operation = operation;
    this.key = key;
    this.reason = EscapedText.of(reason);
    this.hint = hint;
  }

  private static String message(URI destination, String operation, String key, String reason) {
    String place = withoutUserInfo(destination);
    String subject = key.isEmpty() ? place : key + " at " + place;
    return EscapedText.of(operation + " " + subject + ": " + reason);
  }

  private static String withoutUserInfo(URI uri) {
    String text = uri.toString();
    String secret = uri.getRawUserInfo();
    return secret == null ? text : text.replace(secret + "@", "");
  }

  /** Returns the message, which is never null here. */
  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }

  /** Returns the operation that failed: {@code open}, {@code put}, {@code read}, {@code list}... */
  public String operation() {
    return operation;
  }

  /** Returns the key or prefix of the operation; empty if it concerned the whole destination. */
  public String key() {
    return key;
  }

  /** Returns the cause, without operation and place; control characters are escaped. */
  public String reason() {
    return reason;
  }

  /**
   * Returns what the user can do about it: a sentence or two, never empty. Whether the call is made
   * again is for the caller to say, who alone knows.
   */
  public String hint() {
    return hint;
  }

  /** Returns the hint of a caller that makes the call again, where that may help. */
  public String retryHint() {
    return permanent() ? hint : hint + " It is tried again.";
  }

  /** Returns the hint of a caller that gives up: the user may try again, where that may help. */
  public String finalHint() {
    return permanent() ? hint : hint + " Try again.";
  }

  /** Returns the errno, if a file call failed. */
  public Optional<Errno> errno() {
    return getCause() instanceof ErrnoException cause
        ? Optional.of(cause.errno())
        : Optional.empty();
  }

  /** Returns whether somebody has to act before the same call can succeed. */
  public abstract boolean permanent();
}
