package dev.tailwater.cli.outcome;

/** The exit codes of every command; {@code docs/reference/exit-codes.md} is made from this. */
public enum ExitCode {
  /** Everything that was asked for is done. */
  DONE(0, "all done"),
  /** Nothing useful was done; the message says why. */
  FAILED(1, "failed"),
  /** Wrong usage or a faulty configuration: nothing was begun. */
  USAGE(2, "wrong usage or configuration"),
  /** Done in part; what is missing, or not known, is listed. */
  PARTIAL(3, "done in part (what is missing, or not known, is listed)"),
  /** All done, but for the rest of the output; what a shell shows for SIGPIPE. */
  READER_GONE(141, "the reader of the output closed the pipe before its end; nothing is said");

  private final int number;
  private final String meaning;

  ExitCode(int number, String meaning) {
    this.number = number;
    this.meaning = meaning;
  }

  /** The number that the process exits with. */
  public int number() {
    return number;
  }

  /** Its meaning, in a few words. */
  public String meaning() {
    return meaning;
  }
}
