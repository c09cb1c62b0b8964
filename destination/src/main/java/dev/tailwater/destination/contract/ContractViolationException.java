package dev.tailwater.destination.contract;

/** A destination did something else than its contract says; the message tells what was found. */
public final class ContractViolationException extends Exception {
  private static final long serialVersionUID = 1L;

  ContractViolationException(String message) {
    super(message);
  }

  ContractViolationException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Never null, as for other exceptions it may be. */
  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
