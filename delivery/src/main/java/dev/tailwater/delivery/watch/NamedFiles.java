package dev.tailwater.delivery.watch;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.tail.SuspectedFiles;
import dev.tailwater.delivery.tail.TailOpener;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;

/**
 * The file to which each name leads, in memory: one that left comes back when it is asked for. Used
 * by the watch thread.
 */
final class NamedFiles {
  private final ObserverContext context;
  private final FileRegistry registry;
  private final Problems problems;
  private final SuspectedFiles suspected;
  private final OpenFiles openFiles;
  private final FileCloser closer;
  private final QuietFiles quietFiles;
  private final FileEvictor evictor;

  /**
   * Creates a set without files.
   *
   * @param suspected takes files that must be looked at again
   * @param isBusy returns whether the watch has to look at the file again by itself
   */
  NamedFiles(ObserverContext context, SuspectedFiles suspected, Predicate<WatchedFile> isBusy) {
    this.context = context;
    this.registry = context.registry();
    this.problems = context.problems();
    this.suspected = suspected;
    this.openFiles =
        new OpenFiles(
            context.opener().calls(),
            context.settings().maxDescriptors(),
            context.settings().mostInMemory(),
            context.roots());
    this.closer = new FileCloser(context.keepers(), openFiles, problems);
    this.quietFiles =
        new QuietFiles(
            context,
            openFiles,
            new QuietFiles.InMemory() {
              @Override
              public WatchedFile make(
                  PosixPath name, Optional<Descriptor> descriptor, FileIdentity identity) {
                return newFile(name, descriptor, identity);
              }

              @Override
              public void cameBack(WatchedFile file) {
                active(file);
              }
            });
    this.evictor =
        new FileEvictor(
            new FileEvictor.Exit() {
              @Override
              public boolean mayLeave(WatchedFile file) {
                return !isBusy.test(file) && quietFiles.mayLeave(file);
              }

              @Override
              public List<WatchedFile> leave(List<WatchedFile> files) {
                return quietFiles.leave(files);
              }
            },
            context.settings().filesInMemory(),
            context.settings().clocks().nanoClock());
  }

  /** Returns the files that are open. */
  OpenFiles open() {
    return openFiles;
  }

  /** Returns what makes room for other files. */
  OpenFiles.Closing closing() {
    return new OpenFiles.Closing() {
      @Override
      public void leaveMemory() {
        evictor.makeRoom();
      }

      @Override
      public boolean closeSome(QuietDescriptors quiet) {
        return quietFiles.closeSome(quiet);
      }

      @Override
      public boolean closeIfQuiet(WatchedFile file) {
        return closer.closeIfQuiet(file);
      }
    };
  }

  /** Returns the file that has this name; empty where there is none, or that cannot be read. */
  Optional<WatchedFile> find(PosixPath path, Runnable retryLater) {
    Optional<WatchedFile> file = registry.find(path);
    if (file.isPresent()) {
      return file;
    }
    try {
      return quietFiles.recall(path);
    } catch (IOException e) {
      problems.report(
          path.toString(),
          "what is known of the file cannot be read: " + e.getMessage(),
          Optional.of("mend the state directory; the file stays at risk until then"),
          false);
      retryLater.run();
      return Optional.empty();
    }
  }

  /**
   * Brings back the file that is opened at a path, and the one that has lost this name to it.
   *
   * @throws IOException when the table of files cannot be read; then the descriptor is closed
   */
  void recallBefore(PosixPath path, TailOpener.Opened opened) throws IOException {
    boolean known = false;
    try {
      var _ = quietFiles.recall(path);
      var _ = quietFiles.recall(opened.identity());
      known = true;
    } finally {
      if (!known) {
        opened.descriptor().close(); // It is opened again, and asked for again.
      }
    }
  }

  /** Returns the file that was opened at a path, and that takes over the descriptor. */
  WatchedFile opened(PosixPath path, TailOpener.Opened opened) throws ErrnoException {
    Optional<WatchedFile> known = registry.find(opened.identity());
    WatchedFile file;
    if (known.isEmpty()) {
      file = newFile(path, Optional.of(opened.descriptor()), opened.identity());
      registry.add(file);
      openFiles.opened(path, file);
    } else {
      file = known.get();
      if (file.isOpen()) {
        opened.descriptor().close();
      } else {
        file.adopt(opened.descriptor());
        openFiles.opened(path, file);
      }
    }
    evictor.found(file);
    return file;
  }

  private WatchedFile newFile(
      PosixPath path, Optional<Descriptor> descriptor, FileIdentity identity) {
    return new WatchedFile(
        descriptor,
        path,
        identity,
        context.settings().names(),
        context.settings().owners(),
        suspected::add,
        context.comparisons());
  }

  /** Brings a file back to memory, if it left. */
  void recall(FileIdentity identity) throws IOException {
    var _ = quietFiles.recall(identity);
  }

  /** Notes that a file is written to, or asked for: it stays in memory for a while. */
  void active(WatchedFile file) {
    evictor.active(file);
  }

  /** Closes a file with which all destinations are done. */
  void close(WatchedFile file) {
    evictor.closed(file);
    registry.remove(file);
    closer.close(file);
  }

  /** Returns how soon {@link #letLeave} has something to do; empty when it has nothing. */
  OptionalInt letLeaveAfterMillis() {
    return evictor.stepAfterMillis();
  }

  /** Lets some files leave memory, if it is time. */
  void letLeave() {
    evictor.step();
  }

  /** Brings back the files that have changed since they left. */
  void lookAtQuiet() {
    quietFiles.lookAtAll();
  }

  /** Returns streams of files that are not in memory; a destination has all of them. */
  List<StreamId> quietStreams(TailKeeper keeper, int most) {
    return quietFiles.streams(keeper, most);
  }

  /** Closes the files that left memory, after the last look. */
  void closeQuiet() throws IOException {
    for (QuietDescriptors quiet : openFiles.quiet()) {
      quiet.close();
    }
  }
}
