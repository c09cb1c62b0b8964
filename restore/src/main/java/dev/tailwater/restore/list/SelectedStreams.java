package dev.tailwater.restore.list;

import dev.tailwater.restore.Jobs;
import dev.tailwater.restore.RestoreProgress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The streams of a listing that are selected by their paths. It reads the objects that tell the
 * paths, several at a time. For one use by one thread.
 */
final class SelectedStreams {
  /** So many streams take a moment and little enough for several jobs to share the work. */
  private static final int MAX_TASK_STREAMS = 2048;

  private final SegmentSource source;
  private final ArchivedDrains drains;
  private final List<Glob> only;
  private final RestoreProgress progress;
  private @Nullable ArchivedStream[] read = {};
  private final Queue<ArchivedStream> laterVersionsOfOthers = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean hasLaterVersions = new AtomicBoolean();

  /**
   * Of each listed stream, whether it had ended at the moment as of which the archive is read;
   * empty if it is read as it is.
   */
  private boolean[] endedByThen = {};

  /**
   * Creates an empty set.
   *
   * @param only selects streams by their paths; all if there is none
   */
  SelectedStreams(
      SegmentSource source, ArchivedDrains drains, List<Glob> only, RestoreProgress progress) {
    this.source = source;
    this.drains = drains;
    this.only = only;
    this.progress = progress;
  }

  /** Reads what there is of the listed streams. */
  void read(List<ListedStream> listed, int jobs) throws IOException {
    progress.reading(listed.size());
    read = new @Nullable ArchivedStream[listed.size()];
    endedByThen = new boolean[source.isOfMoment() ? listed.size() : 0];
    Jobs.forEach("restore-names", tasks(listed), jobs, task -> read(listed, task));
    if (source.isOfMoment()) {
      leaveOutWhatHadNotBegun(listed);
    }
  }

  /**
   * Leaves out the streams that began with a truncation which came after the moment. Of those that
   * are there by what is told of them, none does.
   */
  private void leaveOutWhatHadNotBegun(List<ListedStream> listed) {
    Set<ArchivedDrains.Whose> goingOn = goingOn(listed, beforePerhapsThere());
    if (goingOn.isEmpty()) {
      return;
    }
    for (int number = 0; number < read.length; number++) {
      ArchivedStream stream = read[number];
      if (stream != null && hadNotBegun(stream, goingOn)) {
        read[number] = null;
      }
    }
    laterVersionsOfOthers.removeIf(stream -> hadNotBegun(stream, goingOn));
  }

  /** Returns what comes before the streams that are perhaps there: few, however many are listed. */
  private Set<ArchivedDrains.Whose> beforePerhapsThere() {
    Set<ArchivedDrains.Whose> all = new HashSet<>();
    for (ArchivedStream stream : read) {
      if (stream != null) {
        before(stream).ifPresent(all::add);
      }
    }
    laterVersionsOfOthers.forEach(stream -> before(stream).ifPresent(all::add));
    return all;
  }

  /** Returns those of some streams that are listed, and had not ended at the moment. */
  private Set<ArchivedDrains.Whose> goingOn(
      List<ListedStream> listed, Set<ArchivedDrains.Whose> some) {
    Set<ArchivedDrains.Whose> goingOn = new HashSet<>();
    for (int number = 0; number < listed.size() && !some.isEmpty(); number++) {
      if (!endedByThen[number]) {
        StreamName name = listed.get(number).name;
        ArchivedDrains.Whose whose = new ArchivedDrains.Whose(name.agent(), name.stream());
        if (some.contains(whose)) {
          goingOn.add(whose);
        }
      }
    }
    return goingOn;
  }

  /** A file has one stream at a time, so the one before it ends where it begins. */
  private static boolean hadNotBegun(ArchivedStream stream, Set<ArchivedDrains.Whose> goingOn) {
    return before(stream).filter(goingOn::contains).isPresent();
  }

  /** Returns what comes before a stream that is perhaps there; empty before all others. */
  private static Optional<ArchivedDrains.Whose> before(ArchivedStream stream) {
    int epoch = stream.id().epoch();
    return epoch == 0 || !stream.isPerhapsThere()
        ? Optional.empty()
        : Optional.of(new ArchivedDrains.Whose(stream.agent(), stream.id().withEpoch(epoch - 1)));
  }

  /** Some neighbouring streams that one job reads. */
  private record Task(int from, int to) {}

  /** Each stream for which objects are read is a task; of the others, many are one. */
  private static List<Task> tasks(List<ListedStream> listed) {
    List<Task> tasks = new ArrayList<>();
    int from = 0;
    for (int to = 1; to <= listed.size(); to++) {
      if (to == listed.size()
          || to - from == MAX_TASK_STREAMS
          || !listed.get(to - 1).isAllInPacks()
          || !listed.get(to).isAllInPacks()) {
        tasks.add(new Task(from, to));
        from = to;
      }
    }
    return tasks;
  }

  private void read(List<ListedStream> listed, Task task) throws IOException {
    for (int number = task.from; number < task.to; number++) {
      StreamReader reader = new StreamReader(source, listed.get(number), drains);
      boolean isSelected = Glob.select(only, reader.readPath(true));
      boolean isLaterVersion = listed.get(number).name.stream().epoch() > 0;
      if (isLaterVersion) {
        hasLaterVersions.set(true);
      }
      reader.noteIfAlive();
      if (source.isOfMoment()) {
        endedByThen[number] = reader.hasEnded();
      }
      if ((isSelected || isLaterVersion) && reader.isThere()) {
        ArchivedStream stream = reader.read();
        if (isSelected) {
          read[number] = stream;
        } else {
          laterVersionsOfOthers.add(stream);
        }
      }
      progress.read();
    }
    // Several jobs do so at a time; what is left to be done later is to merge the parts.
    Arrays.sort(read, task.from, task.to, SelectedStreams::byPathNullsLast);
  }

  /** Returns the selected streams, by agent, then by last known path, then newest first. */
  List<ArchivedStream> selected() {
    ArchivedStream[] selected = new ArchivedStream[read.length];
    int count = 0;
    for (ArchivedStream stream : read) {
      if (stream != null) {
        selected[count++] = stream;
      }
    }
    // Those of each task are in that order already, which makes the sort faster.
    Arrays.sort(selected, 0, count, SelectedStreams::byPath);
    return Collections.unmodifiableList(Arrays.asList(selected).subList(0, count));
  }

  /** Returns streams that are not selected, and that followed a truncation. */
  List<ArchivedStream> laterVersionsOfOthers() {
    return List.copyOf(laterVersionsOfOthers);
  }

  /** Returns whether any stream that was listed followed a truncation. */
  boolean hasLaterVersions() {
    return hasLaterVersions.get();
  }

  private static int byPathNullsLast(@Nullable ArchivedStream one, @Nullable ArchivedStream other) {
    if (one == null || other == null) {
      return (one == null ? 1 : 0) - (other == null ? 1 : 0);
    }
    return byPath(one, other);
  }

  /** By agent, by last known path, then newest first. */
  private static int byPath(ArchivedStream one, ArchivedStream other) {
    int order = one.agent().equals(other.agent()) ? 0 : one.agent().compareTo(other.agent());
    order = order == 0 ? one.path().compareTo(other.path()) : order;
    return order == 0 ? Claims.NEWEST_FIRST.compare(one, other) : order;
  }
}
