package dev.tailwater.cli.command.archive;

import dev.tailwater.archive.ByteSum;
import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.Jobs;
import dev.tailwater.restore.StoredSegment;
import dev.tailwater.restore.list.ArchiveIndex;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.list.Completeness;
import dev.tailwater.restore.name.ContestedPath;
import dev.tailwater.restore.name.TargetNames;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What {@code ls} tells of streams. It is found out in one pass: there may be a million, and each
 * pass over them fetches all of them from memory.
 *
 * @param rows in the order of the streams
 * @param coveredBytes how many bytes some segment holds
 * @param storedBytes how many bytes they take at the destination
 * @param complete whether the archive alone can tell that all of them are complete
 * @param untold the streams of which it is not told what they were at the moment
 * @param contested the places that two streams claim
 */
record StreamRows(
    List<Row> rows,
    long coveredBytes,
    long storedBytes,
    boolean complete,
    List<ArchivedStream> untold,
    List<ContestedPath> contested) {
  private static final int TASK_STREAMS = 4096;

  StreamRows {
    untold = List.copyOf(untold);
    contested = List.copyOf(contested);
  }

  /** A part of the work. */
  private interface Task {
    void run();
  }

  /**
   * What is found out about a stream by looking at all of it. What is printed of it is here, and
   * not several steps away.
   *
   * @param id the text of the stream's id
   * @param state {@code live} while more may come, else how it ended
   * @param isUntold whether it is not told what it was at the moment
   */
  record Row(
      ArchivedStream stream,
      String id,
      PosixPath path,
      String state,
      Completeness completeness,
      int segments,
      boolean isUntold,
      long sizeBytes,
      long coveredBytes,
      long storedBytes) {
    private static Row of(ArchivedStream stream) {
      List<StoredSegment> segments = stream.segments();
      long storedBytes = 0;
      for (int i = 0; i < segments.size(); i++) {
        storedBytes += segments.get(i).objectBytes();
      }
      return new Row(
          stream,
          stream.id().text(),
          stream.path(),
          state(stream.record()),
          Completeness.of(stream),
          segments.size(),
          !untoldOf(stream).isEmpty(),
          stream.knownEndBytes(),
          stream.coveredBytes(),
          storedBytes);
    }

    private static String state(Optional<StreamRecord> record) {
      if (record.isEmpty() || record.get().end().isEmpty()) {
        return "live";
      }
      return switch (record.get().end().get().reason()) {
        case DELETED -> "deleted";
        case TRUNCATED -> "truncated";
        case MOVED_AWAY -> "moved-away";
        case VANISHED -> "vanished";
      };
    }
  }

  /** Looks at all streams, many at a time. */
  static StreamRows of(ArchiveIndex index, int jobs) throws IOException {
    List<ArchivedStream> streams = index.streams();
    Row[] rows = new Row[streams.size()];
    List<ContestedPath> contested = new ArrayList<>(); // one task fills it
    List<Task> tasks = new ArrayList<>();
    tasks.add(() -> contested.addAll(TargetNames.contested(index)));
    for (int from = 0; from < rows.length; from += TASK_STREAMS) {
      int first = from;
      int end = Math.min(rows.length, from + TASK_STREAMS);
      tasks.add(
          () -> {
            for (int i = first; i < end; i++) {
              rows[i] = Row.of(streams.get(i));
            }
          });
    }
    Jobs.forEach("list-streams", tasks, jobs, Task::run);
    return of(Arrays.asList(rows), contested);
  }

  private static StreamRows of(List<Row> rows, List<ContestedPath> contested) {
    long coveredBytes = 0;
    long storedBytes = 0;
    boolean complete = true;
    List<ArchivedStream> untold = new ArrayList<>();
    for (Row row : rows) {
      coveredBytes = ByteSum.of(coveredBytes, row.coveredBytes());
      storedBytes = ByteSum.of(storedBytes, row.storedBytes());
      complete &= row.completeness() instanceof Completeness.Complete;
      if (row.isUntold()) {
        untold.add(row.stream());
      }
    }
    return new StreamRows(rows, coveredBytes, storedBytes, complete, untold, contested);
  }

  /** Returns what is not told of a stream. */
  static List<Damage> untoldOf(ArchivedStream stream) {
    List<Damage> damages = stream.damages();
    return damages.isEmpty()
        ? damages
        : damages.stream().filter(one -> one.kind() == Damage.Kind.UNTOLD).toList();
  }
}
