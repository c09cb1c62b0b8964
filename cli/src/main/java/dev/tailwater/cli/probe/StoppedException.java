package dev.tailwater.cli.probe;

/** The user stopped the probe, and nothing more is to be written. */
public final class StoppedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  StoppedException() {
    super("the probe was stopped");
  }
}
