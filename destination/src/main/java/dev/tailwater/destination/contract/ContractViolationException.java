package dev.tailwater.destination.contract;

/** Signals that a destination violates its contract; the message says what was found. */
public final class ContractViolationException extends Exception {
  private static final long serialVersionUID = 1L;

  ContractViolationException(String message) {
    super(message);
  }

  ContractViolationException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Returns the message, which is never null here. */
  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
