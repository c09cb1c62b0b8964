package dev.tailwater.delivery.deliver;

import dev.tailwater.archive.age.ContentKey;
import dev.tailwater.archive.age.ContentStanza;
import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.destination.ColdObjectException;
import java.io.IOException;
import java.util.Optional;

/**
 * Compares delivered segments with bytes by what their objects state about their content, without a
 * private key. It reports once when encrypted segments cannot be compared. Thread-safe.
 */
public final class StatedContent {
  private static final String SUBJECT = "content check";
  private static final String HINT =
      "nothing is lost: what cannot be compared is delivered again, or not merged; see 'What the"
          + " loss of the state costs' in the guide to keys and encryption";

  private final Inventory inventory;
  private final Optional<ContentKey> key;
  private final Problems problems;

  /**
   * Creates a comparison for one destination.
   *
   * @param key the key of this agent's checks; empty if it makes none
   */
  public StatedContent(Inventory inventory, Optional<ContentKey> key, Problems problems) {
    this.inventory = inventory;
    this.key = key;
    this.problems = problems;
  }

  /**
   * Returns what a segment states, if it can be compared; empty, too, when the object is damaged.
   *
   * @throws IOException when it cannot be read now
   */
  public Optional<ContentStanza> read(ArchiveObject.Segment segment) throws IOException {
    return comparable(segment, inventory.peekContent(segment));
  }

  /** Returns the same; what is in cold storage is reported, and states nothing. */
  public Optional<ContentStanza> readUnlessCold(ArchiveObject.Segment segment) throws IOException {
    try {
      return read(segment);
    } catch (ColdObjectException e) {
      reportCold(e);
      return Optional.empty();
    }
  }

  /** Reports that a file cannot be compared with what is in cold storage. */
  public void reportCold(ColdObjectException e) {
    problems.reportHarmless(
        SUBJECT,
        "the destination has objects of this agent in cold storage, whose content cannot be"
            + " compared: "
            + e.getMessage(),
        Optional.of(HINT),
        true);
  }

  /** Returns the same of an object whose first bytes were read. */
  Optional<ContentStanza> comparable(
      ArchiveObject.Segment segment, Optional<ContentStanza> content) {
    if (content.filter(stated -> stated.isComparable(key)).isPresent()) {
      return content;
    }
    if (segment.encrypted()) {
      String why =
          content.isEmpty()
              ? "they state no check that can be read"
              : key.isEmpty()
                  ? "content_check is off, and they state a check"
                  : "their checks were made with another key";
      problems.reportHarmless(
          SUBJECT,
          "the destination has encrypted segments of this agent whose content cannot be compared: "
              + why,
          Optional.of(HINT),
          true);
    }
    return Optional.empty();
  }

  /** Returns whether a segment that states this holds the bytes with this checksum. */
  public boolean matches(ArchiveObject.Segment segment, ContentStanza stated, int rawCrc32c) {
    return stated.matches(segment.stream(), rawCrc32c, key);
  }
}
