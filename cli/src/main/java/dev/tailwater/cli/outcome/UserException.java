package dev.tailwater.cli.outcome;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Ends a command with an exit code and a message for the user, without a stack trace. */
public final class UserException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ExitCode exitCode;
  private final @Nullable String hint;

  private UserException(
      ExitCode exitCode, String message, @Nullable String hint, @Nullable Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
    this.hint = hint;
  }

  /** Wrong usage or configuration; {@code hint} is what to do about it. */
  public static UserException usage(String message, String hint) {
    return new UserException(ExitCode.USAGE, message, hint, null);
  }

  /** An option was given that changes nothing without another one. */
  public static UserException noEffect(String option, String without) {
    return usage(
        option + " has no effect without " + without,
        "give " + without + " too, or leave " + option + " out");
  }

  /** The command failed; {@code hint} is what to do about it. */
  public static UserException failed(String message, String hint) {
    return new UserException(ExitCode.FAILED, message, hint, null);
  }

  /** The command failed because of {@code cause}. */
  public static UserException failed(String message, String hint, Throwable cause) {
    return new UserException(ExitCode.FAILED, message, hint, cause);
  }

  public ExitCode exitCode() {
    return exitCode;
  }

  /** What the user can do about it, without "Hint:". */
  public Optional<String> hint() {
    return Optional.ofNullable(hint);
  }
}
