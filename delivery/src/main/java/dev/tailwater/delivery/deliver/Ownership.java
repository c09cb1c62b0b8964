package dev.tailwater.delivery.deliver;

import dev.tailwater.archive.age.ContentStanza;
import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.delivery.problem.Problems;
import java.io.IOException;
import java.util.Optional;

/**
 * Decides whether an object that exists already is what this agent would have put there. It is,
 * unless two agents have the same name, as after a machine was copied; then neither it nor anything
 * that it would supersede may be removed. Thread-safe.
 */
public final class Ownership {
  private static final String SUBJECT = "segments of others";
  private static final String HINT =
      "nothing is removed for it, and it is not merged; see whether another machine runs an agent"
          + " of the same name, as a copy of this one would, or whether the object is damaged";

  private final StatedContent content;
  private final Problems problems;

  public Ownership(StatedContent content, Problems problems) {
    this.content = content;
    this.problems = problems;
  }

  /**
   * Returns whether the object holds the bytes with this checksum, as it states; reports an object
   * that holds other bytes.
   *
   * @param rawCrc32c of the bytes that it should hold
   * @throws IOException when it cannot be read now
   */
  public boolean isOwn(ArchiveObject.Segment segment, int rawCrc32c) throws IOException {
    Optional<ContentStanza> stated = content.read(segment);
    if (stated.isEmpty() && segment.encrypted()) {
      return false; // It is reported already that this cannot be compared.
    }
    boolean own = stated.isPresent() && content.matches(segment, stated.get(), rawCrc32c);
    if (!own) {
      String message = segment.key() + " has other bytes than this agent delivered";
      problems.reportHarmless(SUBJECT, message, Optional.of(HINT), true);
    }
    return own;
  }
}
