package dev.tailwater.delivery.deliver;

import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.delivery.problem.Problems;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Whether an object under a name that was taken is what this agent would have put there. It is,
 * unless two agents have one name, as when a machine is copied; then nothing may be removed for it,
 * nor it itself. Thread-safe.
 */
public final class Ownership {
  private static final String SUBJECT = "segments of others";
  private static final String HINT =
      "nothing is removed for it, and it is not merged; see whether another machine runs an agent"
          + " of the same name, as a copy of this one would, or whether the object is damaged";

  private final Inventory inventory;
  private final Problems problems;

  public Ownership(Inventory inventory, Problems problems) {
    this.inventory = inventory;
    this.problems = problems;
  }

  /**
   * Whether the object says that it holds these bytes.
   *
   * @param rawCrc32c of the bytes that it should hold
   * @throws IOException it cannot be read now
   */
  static boolean isOwn(Inventory inventory, ArchiveObject.Segment segment, int rawCrc32c)
      throws IOException {
    OptionalInt found = inventory.peekRawCrc32c(segment);
    return found.isPresent() && found.getAsInt() == rawCrc32c;
  }

  /** The same; another one is reported. */
  public boolean isOwn(ArchiveObject.Segment segment, int rawCrc32c) throws IOException {
    boolean own = isOwn(inventory, segment, rawCrc32c);
    if (!own) {
      String message = segment.key() + " has other bytes than this agent delivered";
      problems.reportHarmless(SUBJECT, message, Optional.of(HINT), true);
    }
    return own;
  }
}
