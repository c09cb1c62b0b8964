package dev.tailwater.delivery.open;

import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * How the watch takes up what {@link EarlyOpens} has opened. Which file a name leads to is decided
 * by a look at the name afterwards. Used by the watch thread only.
 */
public final class EarlyAdoption {
  private final EarlyOpens early;
  private final PathOpener opener;
  private final FileIntake intake;

  /** What has a name that the watch does not know. */
  private List<EarlyOpens.Found> unseen = new ArrayList<>();

  /** Creates the adoption of one watch. */
  public EarlyAdoption(EarlyOpens early, PathOpener opener, FileIntake intake) {
    this.early = early;
    this.opener = opener;
    this.intake = intake;
  }

  /**
   * Takes up what was opened early. Files that are still at their names, although the watch does
   * not know those, are none of the agent's: it has left them out. They are given up after a second
   * look at all of it.
   *
   * @param known the names that the watch knows
   * @param isComplete whether no scan is under way that may find more names
   * @param failures takes what has failed for unforeseen reasons
   * @return the names that must be looked at
   */
  public Set<PosixPath> adopt(
      Predicate<PosixPath> known, boolean isComplete, List<Throwable> failures) {
    List<EarlyOpens.Found> seenBefore = unseen;
    unseen = new ArrayList<>();
    List<EarlyOpens.Found> all = new ArrayList<>(seenBefore);
    all.addAll(early.take());
    Set<PosixPath> names = new LinkedHashSet<>();
    for (int i = 0; i < all.size(); i++) {
      EarlyOpens.Found found = all.get(i);
      try {
        if (known.test(found.path()) || !opener.leadsTo(found.path(), found.identity())) {
          adopt(found);
          names.add(found.path());
        } else if (i < seenBefore.size() && isComplete) {
          early.drop(found);
        } else {
          unseen.add(found);
        }
      } catch (RuntimeException | Error e) {
        failures.add(e);
      }
    }
    return names;
  }

  private void adopt(EarlyOpens.Found found) {
    if (found.opened().isPresent()) {
      opener.adopt(found);
    } else {
      try {
        if (!intake.named(found.path(), found.identity())) {
          opener.leaveOutForNow(found.path());
        }
      } catch (IOException e) {
        opener.reportUnknown(found.path(), e);
      }
    }
  }

  /** Finds out what is at a name now at which a file was opened early. */
  public void settle(PosixPath path, Predicate<PosixPath> known) {
    if (!known.test(path)) {
      intake.gone(path); // If something is there, the watch reports it at its next look.
    } else if (!opener.wasNeverOpened(path)) {
      opener.open(path);
      opener.notVanished(path); // Its file is open, or is counted by its events.
    }
  }

  /** Returns whether there must be another look to decide about something. */
  public boolean isUndecided() {
    return !unseen.isEmpty();
  }

  /** Gives up what was not taken up. */
  public void close() {
    unseen.forEach(early::drop);
    unseen = List.of();
  }
}
