package dev.tailwater.delivery.watch;

import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.room.DescriptorShortage;
import dev.tailwater.io.watch.WatchChange;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.PosixPath;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** What the watch cannot see, and reports about it. Used by the watch thread only. */
final class WatchGaps {
  private final Problems problems;
  private final Set<PosixPath> unobservable = new HashSet<>();

  /** The unobservable paths for which there was no descriptor. */
  private final Set<PosixPath> withoutDescriptor = new HashSet<>();

  /** The roots below which names found no room, so that an unknown one need not be gone. */
  private final Set<PosixPath> overfull = new HashSet<>();

  WatchGaps(Problems problems) {
    this.problems = problems;
  }

  void unobservable(WatchChange.Unobservable unseen) {
    unobservable.add(unseen.path());
    if (DescriptorShortage.isMeant(unseen.why())) {
      withoutDescriptor.add(unseen.path());
      problems.report(DescriptorShortage.SUBJECT, unseen.why(), DescriptorShortage.HINT);
    } else {
      withoutDescriptor.remove(unseen.path());
      problems.report(unseen.path().toString(), unseen.why(), hint(unseen.why().errno()));
    }
  }

  private static String hint(Errno why) {
    return switch (why) {
      case ELOOP ->
          "make the link's target a source, and restart the agent; the other sources go on";
      case EEXIST ->
          "nothing below it is shipped; make the file systems that it shows sources, or"
              + " mount so that numbers differ";
      case EOPNOTSUPP -> "nothing below it is shipped; name the directories beside it as sources";
      case ENAMETOOLONG ->
          "Linux opens no path of more than 4095 bytes: nothing below it is shipped, until it is"
              + " moved up or a directory above it has a shorter name";
      default -> "let the agent's user read it; it is not taken for deleted";
    };
  }

  /** Returns how many paths cannot be looked at, beside those that somebody else counts. */
  long unobservableWithout(Predicate<PosixPath> counted) {
    return unobservable.stream().filter(counted.negate()).count();
  }

  void observable(WatchChange.Observable seen) {
    unobservable.remove(seen.path());
    withoutDescriptor.remove(seen.path());
    problems.resolved(seen.path().toString());
  }

  void overfull(WatchChange.Overfull full) {
    overfull.add(full.path());
    problems.report(
        namesBelow(full.path()),
        "there are more files below "
            + full.path()
            + " than the agent has memory for, and"
            + " some are left out",
        Optional.of(
            "narrow the source with include and exclude, or give the agent a larger heap:"
                + " TAILWATER_JAVA_OPTS=-Xmx256m; the other sources go on"),
        false);
  }

  void notOverfull(WatchChange.NotOverfull all) {
    overfull.remove(all.path());
    problems.resolved(namesBelow(all.path()));
  }

  private static String namesBelow(PosixPath root) {
    return "names below " + root;
  }

  /** Reports polling as harmless: nothing is missed, so everything is delivered all the same. */
  void degraded(WatchChange.Degraded slow) {
    problems.reportHarmless(
        slow.path().toString(),
        slow.why().getMessage()
            + "; "
            + slow.directories()
            + (slow.directories() == 1 ? " directory is" : " directories are")
            + " polled instead of notified",
        Optional.of(slow.hint()),
        false);
  }

  /** Returns whether a file of this path may exist although the watch has not found it. */
  boolean hides(PosixPath path) {
    return unobservable.stream().anyMatch(path::startsWith)
        || overfull.stream().anyMatch(path::startsWith);
  }

  /** Returns whether something cannot be observed for lack of descriptors. */
  boolean lacksDescriptors() {
    return !withoutDescriptor.isEmpty();
  }
}
