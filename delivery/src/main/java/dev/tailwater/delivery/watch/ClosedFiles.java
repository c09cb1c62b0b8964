package dev.tailwater.delivery.watch;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.open.TailOpener;
import dev.tailwater.delivery.stream.Checkpoint;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.ObjIntConsumer;

/**
 * Looks at files that left memory without their descriptors, those of a directory one after the
 * other: they come in the order of a table, and each change of the directory costs three system
 * calls. Used by one thread.
 */
final class ClosedFiles implements AutoCloseable {
  /** Of a million files in a thousand directories, two of each; these are 2 MB. */
  private static final int AT_ONCE = 2048;

  private final TailOpener.Batch looks;
  private final long startMillis;
  private final ObjIntConsumer<StreamId> action;
  private final BooleanSupplier inTime;
  private final List<Left> waiting = new ArrayList<>();

  /**
   * A file that left.
   *
   * @param away what the table knows of it, for each destination that has it with this name
   */
  private record Left(PosixPath directory, PosixPath name, List<Optional<Checkpoint>> away) {}

  /**
   * Creates one that has looked at nothing.
   *
   * @param startMillis when the agent started
   * @param action gets the stream of each file that is as it was when it left, once for each
   *     destination that has all of the file, with the number of that
   * @param inTime whether there is time for more
   */
  ClosedFiles(
      TailOpener.Batch looks,
      long startMillis,
      ObjIntConsumer<StreamId> action,
      BooleanSupplier inTime) {
    this.looks = looks;
    this.startMillis = startMillis;
    this.action = action;
    this.inTime = inTime;
  }

  /** Adds a file, which is looked at now or later. */
  void add(PosixPath name, List<Optional<Checkpoint>> away) throws IOException {
    waiting.add(new Left(name.parent(), name, away));
    if (waiting.size() >= AT_ONCE) {
      lookAtAll();
    }
  }

  /** Looks at the files that were added, as far as there is time. */
  void lookAtAll() throws IOException {
    waiting.sort(Comparator.comparing(Left::directory).thenComparing(Left::name));
    for (Left file : waiting) {
      if (inTime.getAsBoolean()) {
        lookAt(file);
      }
    }
    waiting.clear();
  }

  /**
   * Where a file was written to since, its last look may not have come, and none comes any more.
   */
  private void lookAt(Left file) throws IOException {
    try (ClosedFileLook look = new ClosedFileLook(looks, startMillis)) {
      for (int lane = 0; lane < file.away().size(); lane++) {
        Optional<Checkpoint> away = file.away().get(lane);
        if (away.isPresent() && look.isAsDelivered(file.name(), away.get())) {
          action.accept(away.get().origin().id(), lane);
        }
      }
    }
  }

  @Override
  public void close() throws IOException {
    looks.close();
  }
}
