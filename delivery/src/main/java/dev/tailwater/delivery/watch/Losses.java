package dev.tailwater.delivery.watch;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.posix.PosixPath;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What this run knows to be in no archive, and so not at risk any more: files that were gone before
 * they could be opened, and bytes that were changed in place after they had been read. All are
 * counted; the first of each kind are named. Thread-safe.
 */
public final class Losses {
  /** The most names of each kind. */
  public static final int MOST_NAMES = 100;

  private static final String MISSED = "missed files";
  private static final String MISSED_HINT =
      "whatever was in it is in no archive; leave out files that live for milliseconds only"
          + " (--exclude), or let the program keep them longer; 'tailwater status' counts them";
  private static final String PERHAPS = "perhaps missed files";
  private static final String PERHAPS_HINT =
      "if it was a file and not a link, a socket or a further name of a file, whatever was in it"
          + " is in no archive; 'tailwater status' counts such names";
  private static final String CHANGED = "changed in place";
  private static final String CHANGED_HINT =
      "only what is appended to a file is delivered; 'tailwater status' lists the files, and ship"
          + " a copy or a dump of what is written in place (databases, memory-mapped files)";

  private final Problems problems;

  @GuardedBy("this")
  private final List<PosixPath> missed = new ArrayList<>();

  @GuardedBy("this")
  private final List<PosixPath> perhaps = new ArrayList<>();

  @GuardedBy("this")
  private final Map<StreamId, PosixPath> changed = new LinkedHashMap<>();

  @GuardedBy("this")
  private long missedFiles;

  @GuardedBy("this")
  private long perhapsMissedFiles;

  @GuardedBy("this")
  private long changedFiles;

  @GuardedBy("this")
  private Optional<String> changedMessage = Optional.empty();

  /**
   * The losses until now.
   *
   * @param missed the first missed files
   * @param perhapsMissedFiles names that were gone before it could be known what they led to
   * @param perhapsMissed the first of these names
   * @param changed the first files that were changed in place
   */
  public record Report(
      long missedFiles,
      List<PosixPath> missed,
      long perhapsMissedFiles,
      List<PosixPath> perhapsMissed,
      long changedFiles,
      List<Changed> changed) {
    /** Nothing is known to be lost. */
    public static final Report NONE = new Report(0, List.of(), 0, List.of(), 0, List.of());

    public Report {
      missed = List.copyOf(missed);
      perhapsMissed = List.copyOf(perhapsMissed);
      changed = List.copyOf(changed);
    }

    /** Returns whether nothing is known to be lost for certain. */
    public boolean isEmpty() {
      return missedFiles == 0 && changedFiles == 0;
    }
  }

  /** A file whose bytes have changed since they were read. */
  public record Changed(PosixPath path, StreamId stream) {}

  Losses(Problems problems) {
    this.problems = problems;
  }

  /** Notes that a file was seen to appear, and was gone before it could be opened. */
  void missed(PosixPath path) {
    String first;
    synchronized (this) {
      missedFiles++;
      if (missed.size() < MOST_NAMES) {
        missed.add(path);
      }
      first = missed.getFirst() + " was gone before it could be opened";
    }
    problems.report(MISSED, first, Optional.of(MISSED_HINT), true);
  }

  /** Notes that a name appeared, and was gone before it could be known whether it was a file. */
  void perhapsMissed(PosixPath path) {
    String first;
    synchronized (this) {
      perhapsMissedFiles++;
      if (perhaps.size() < MOST_NAMES) {
        perhaps.add(path);
      }
      first = perhaps.getFirst() + " was gone before it could be opened, and may have been a file";
    }
    problems.reportHarmless(PERHAPS, first, Optional.of(PERHAPS_HINT), true);
  }

  /** Notes that bytes of the file have been changed after they were read. */
  void changed(StreamId stream, PosixPath path) {
    String first;
    synchronized (this) {
      changedFiles++;
      if (changed.size() < MOST_NAMES) {
        changed.put(stream, path);
      }
      first =
          changedMessage.orElse(
              path
                  + " was changed in place: the archive has what it held before, not what it"
                  + " holds");
      changedMessage = Optional.of(first);
    }
    problems.report(CHANGED, first, Optional.of(CHANGED_HINT), true);
  }

  /** Notes that the file turns out to have grown instead. */
  void unchanged(StreamId stream) {
    boolean none;
    synchronized (this) {
      changedFiles--;
      changed.remove(stream);
      none = changedFiles == 0;
      if (none) {
        changedMessage = Optional.empty();
      }
    }
    if (none) {
      problems.resolved(CHANGED);
    }
  }

  /** Returns what is known now. */
  public synchronized Report report() {
    List<Changed> files = new ArrayList<>();
    changed.forEach((stream, path) -> files.add(new Changed(path, stream)));
    return new Report(missedFiles, missed, perhapsMissedFiles, perhaps, changedFiles, files);
  }
}
