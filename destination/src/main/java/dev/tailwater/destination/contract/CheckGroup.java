package dev.tailwater.destination.contract;

import dev.tailwater.destination.Destination;

/** The part of the contract that a sentence belongs to. */
public enum CheckGroup {
  /** The contract of {@link Destination#putSegment}. */
  PUT("put"),
  /** The contract of {@link Destination#beginSegment}. */
  UPLOAD("upload"),
  /** The contract of {@link Destination#read}. */
  READ("read"),
  /** The contract of {@link Destination#list}. */
  LIST("list"),
  /** The contract of {@link Destination#putObject} and {@link Destination#delete}. */
  CHANGE("change"),
  /** The rules for keys, and those that hold for every method. */
  NAME("name");

  private final String word;

  CheckGroup(String word) {
    this.word = word;
  }

  /** Returns the name as one lower-case word. */
  public String word() {
    return word;
  }
}
