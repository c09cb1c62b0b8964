package dev.tailwater.delivery.life;

import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.PosixPath;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A file from its arrival at a watched name until it has no such name any more. What is known of it
 * is for {@link Lives} and {@link Assignments} to say. Not thread-safe.
 */
public final class Life {
  /** The last names of a file that moves on and on; the others tell nothing new. */
  private static final int MOST_NAMES = 8;

  /** The names that it had, the last one last. */
  final Set<PosixPath> names = new LinkedHashSet<>();

  /** Its name; empty when it has none any more. */
  Optional<PosixPath> at = Optional.empty();

  Optional<FileIdentity> identity = Optional.empty();

  /** Whether it is nobody's loss, though it was not opened: no file, or known before. */
  boolean exempt;

  /** Later files at its names of which one may be what was opened. */
  List<Life> next = List.of();

  /** A file that was opened at its name, though it is assigned to another name's. */
  Optional<Assignments.Claim> claim = Optional.empty();

  /** Whether it came from a listing, so that the event of its creation may follow. */
  boolean listed;

  /** The reading of the queue after which no event can say that another file was opened. */
  long sureAfter = Long.MAX_VALUE;

  void moveTo(PosixPath path) {
    names.remove(path);
    if (names.size() == MOST_NAMES) {
      names.remove(names.iterator().next());
    }
    names.add(path);
    at = Optional.of(path);
  }

  boolean isUnopened() {
    return identity.isEmpty() && !exempt;
  }
}
