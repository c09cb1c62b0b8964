package dev.tailwater.destination.contract;

import dev.tailwater.destination.Destination;

/** The part of the contract that a sentence belongs to. */
public enum CheckGroup {
  /** {@link Destination#putSegment}. */
  PUT("put"),
  /** {@link Destination#beginSegment}. */
  UPLOAD("upload"),
  /** {@link Destination#read}. */
  READ("read"),
  /** {@link Destination#list}. */
  LIST("list"),
  /** {@link Destination#putObject} and {@link Destination#delete}. */
  CHANGE("change"),
  /** Keys, and what holds for every method. */
  NAME("name");

  private final String word;

  CheckGroup(String word) {
    this.word = word;
  }

  /** In one lower-case word. */
  public String word() {
    return word;
  }
}
