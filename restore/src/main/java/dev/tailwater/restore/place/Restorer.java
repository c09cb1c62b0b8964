package dev.tailwater.restore.place;

import dev.tailwater.archive.RangeSet;
import dev.tailwater.archive.pack.DirectoryStatement;
import dev.tailwater.destination.Destination;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.Jobs;
import dev.tailwater.restore.Outcome;
import dev.tailwater.restore.RestoreProgress;
import dev.tailwater.restore.attribute.AttributeSetter;
import dev.tailwater.restore.attribute.AttributeTools;
import dev.tailwater.restore.attribute.Owners;
import dev.tailwater.restore.attribute.UnsetAttributes;
import dev.tailwater.restore.attribute.UnsetOwners;
import dev.tailwater.restore.durable.DescriptorShares;
import dev.tailwater.restore.durable.GroupSync;
import dev.tailwater.restore.list.ArchiveIndex;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.list.ArchivedTree;
import dev.tailwater.restore.list.Claims;
import dev.tailwater.restore.list.SegmentSource;
import dev.tailwater.restore.place.TargetPath.UnsafePathException;
import dev.tailwater.restore.read.LockCheck;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Restores the files of an archive.
 *
 * <p>A file is placed below the target directory under its last known path, below a directory named
 * like its agent if the archive has several agents. Of several streams with the same last path the
 * one with the strongest {@linkplain Claims claim} keeps it; the others get {@code .~<stream id>}
 * behind their names. Nothing outside the target directory is written, whatever the archive says
 * and whatever symbolic links lie there. A file appears under its name when all of it is there;
 * until then it is {@code .tailwater-<hash>.partial} beside it. A run that was interrupted can be
 * started again: what is there already is not fetched again.
 */
public final class Restorer {
  /** After these nothing else will succeed either. */
  private static final Set<Errno> TARGET_IS_UNUSABLE =
      EnumSet.of(Errno.ENOSPC, Errno.EDQUOT, Errno.EROFS);

  private static final String LOCKED_HINT =
      "--identity FILE must hold the private key of one of its recipients";

  private final FileCalls calls;
  private final Destination destination;
  private final RestoreOptions options;
  private final RestoreProgress progress;
  private final AtomicReference<@Nullable String> stopped = new AtomicReference<>();

  /** Whether a file failed that a later run may be able to restore. */
  private volatile boolean toBeContinued;

  public Restorer(
      FileCalls calls, Destination destination, RestoreOptions options, RestoreProgress progress) {
    this.calls = calls;
    this.destination = destination;
    this.options = options;
    this.progress = progress;
  }

  /**
   * Restores all streams of an index into a directory, which is made if it is not there. One stream
   * that fails does not stop the others.
   *
   * @throws IOException the directory cannot be used, or the thread was interrupted
   */
  public RestoreReport restore(ArchiveIndex index, PosixPath directory) throws IOException {
    List<ArchivedStream> streams = index.streams();
    long bytes = ArchivedStream.coveredBytes(streams);
    progress.planned(streams.size(), bytes);
    Map<ArchivedStream, RestoredStream> results = new ConcurrentHashMap<>(streams.size());
    SegmentSource source = new SegmentSource(destination, options.reading());
    int jobs = options.reading().jobs();
    LockCheck locks = LockCheck.of(source, streams, jobs);
    if (locks.isEverything()) {
      streams.forEach(stream -> results.put(stream, locked(stream)));
      TargetNames names = TargetNames.of(index);
      return Ending.of(index, names, locks, TreeReport.NONE).report(results);
    }
    List<ArchivedTree> trees = trees(source, index);
    TargetNames names = TargetNames.of(index, trees);
    AttributeTools tools =
        new AttributeTools(
            Owners.of(calls, options.owners()),
            new AttributeSetter(options.extendedAttributes(), trees));
    DescriptorShares shares = DescriptorShares.ofProcess();
    try (TargetTree tree = TargetTree.create(calls, directory);
        OpenDirectories directories = new OpenDirectories(tree, shares.directories());
        PiecePlacer placer = new PiecePlacer(source, tree.mount(), jobs, progress);
        GroupSync sync =
            GroupSync.start(calls, tree.root(), options.sync(), shares.waitingFiles())) {
      if (!trees.isEmpty()) {
        tree.listUnfinished(index.agents());
      }
      UnnamedFiles unnamed = UnnamedFiles.on(tree);
      StreamRestore.Run run =
          new StreamRestore.Run(
              calls,
              directories,
              unnamed,
              source,
              placer,
              new NamesAlike(tree, names),
              sync,
              tools,
              options,
              progress);
      Jobs.forEach(
          "restore-stream",
          Stretches.of(streams, jobs),
          jobs,
          stretch -> {
            for (ArchivedStream stream : stretch) {
              Writing writing = new Writing(run, stream, names, results);
              if (locks.isLocked(stream)) {
                writing.ended(locked(stream));
              } else {
                writing.begin();
              }
            }
          });
      sync.finish();
      TreeRestore restore =
          new TreeRestore(
              tree, tools, options.overwrite(), index.agents().size() > 1, index::selects);
      restore.make(trees, files(names, results));
      Optional<String> problem = sync(tree);
      // Behind the syncs, for which directories must be opened.
      restore.finishDirectories(trees);
      if (!toBeContinued && !restore.isToBeContinued()) {
        tree.finishUnfinished();
      }
      return new Ending(
              index,
              names,
              locks,
              problem,
              tools.owners().unset(),
              tools.extended().unset(),
              restore.report())
          .report(results);
    }
  }

  /**
   * Returns what {@link #restore} would come to if every object is as its name says, and changes
   * nothing. Of the archive it reads no more than the headers that a restore reads to compare files
   * which are there already.
   *
   * @throws IOException the directory cannot be looked at, or the thread was interrupted
   */
  public RestoreReport preview(ArchiveIndex index, PosixPath directory) throws IOException {
    List<ArchivedStream> streams = index.streams();
    progress.planned(streams.size(), 0);
    Map<ArchivedStream, RestoredStream> results = new ConcurrentHashMap<>();
    SegmentSource source = new SegmentSource(destination, options.reading());
    int jobs = options.reading().jobs();
    LockCheck locks = LockCheck.of(source, streams, jobs);
    List<ArchivedTree> trees = trees(source, index);
    TargetNames names = TargetNames.of(index, trees);
    Optional<TargetTree> tree = openIfThere(directory);
    try {
      StreamPreview preview = new StreamPreview(calls, source, options, tree);
      Jobs.forEach(
          "restore-preview",
          streams,
          jobs,
          stream -> {
            Optional<RestoredStream> result =
                locks.isLocked(stream)
                    ? Optional.of(locked(stream))
                    : attempt(
                        stream,
                        () -> names.of(stream),
                        target -> Optional.of(preview.preview(stream, target)));
            result.ifPresent(known -> results.put(stream, known));
            progress.finished();
          });
      TreeReport there =
          options.tree()
              ? TreeRestore.preview(trees, files(names, results), index::selects)
              : TreeReport.NONE;
      return Ending.of(index, names, locks, there).report(results);
    } finally {
      if (tree.isPresent()) {
        tree.get().close();
      }
    }
  }

  private List<ArchivedTree> trees(SegmentSource source, ArchiveIndex index) throws IOException {
    return options.tree() ? ArchivedTree.read(source, index) : List.of();
  }

  /** Tells where the files are of which there is more than nothing. */
  private static TreeRestore.Files files(
      TargetNames names, Map<ArchivedStream, RestoredStream> results) {
    return new TreeRestore.Files() {
      // Made when it is first needed.
      private final Set<PosixPath> places = new HashSet<>();

      @Override
      public Optional<TargetPath> of(String agent, DirectoryStatement.FurtherName further) {
        return names
            .fileOf(agent, further)
            .filter(
                stream -> {
                  RestoredStream result = results.get(stream);
                  return result != null && result.result().hasFile();
                })
            .flatMap(stream -> Optional.ofNullable(names.all().get(stream)));
      }

      @Override
      public boolean havePlace(TargetPath place) {
        if (places.isEmpty()) {
          names.all().values().forEach(path -> places.add(path.relative()));
        }
        return places.contains(place.relative());
      }
    };
  }

  private Optional<TargetTree> openIfThere(PosixPath directory) throws ErrnoException {
    try {
      return Optional.of(TargetTree.open(calls, directory));
    } catch (ErrnoException e) {
      if (e.errno() == Errno.ENOENT) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** What keeps the names from being durable. */
  private Optional<String> sync(TargetTree tree) {
    if (!options.sync()) {
      return Optional.empty();
    }
    try {
      tree.syncDirectories();
      return Optional.empty();
    } catch (ErrnoException e) {
      return Optional.of(
          "the names of restored files may not survive a power cut: " + explained(e));
    }
  }

  /**
   * The way of one stream through a run: its file is written, and gets its name when it is durable,
   * which may be later. There may be a million, so this is one object and no chain of lambdas.
   */
  private final class Writing implements Place, Work, GroupSync.Then {
    private final StreamRestore.Run run;
    private final ArchivedStream stream;
    private final TargetNames names;
    private final Map<ArchivedStream, RestoredStream> results;
    private Optional<StreamRestore> waiting = Optional.empty();
    private Optional<Throwable> notDurable = Optional.empty();

    Writing(
        StreamRestore.Run run,
        ArchivedStream stream,
        TargetNames names,
        Map<ArchivedStream, RestoredStream> results) {
      this.run = run;
      this.stream = stream;
      this.names = names;
      this.results = results;
    }

    void begin() throws InterruptedIOException {
      endIfKnown(attempt(stream, this, this));
    }

    /** Called when the file is durable, or is known not to be. */
    @Override
    public void run(Optional<Throwable> failure) throws InterruptedIOException {
      notDurable = failure;
      endIfKnown(attempt(stream, this, this));
    }

    private void endIfKnown(Optional<RestoredStream> result) {
      if (result.isPresent()) {
        ended(result.get());
      }
    }

    void ended(RestoredStream result) {
      results.put(stream, result);
      progress.finished();
    }

    @Override
    public TargetPath get() throws UnsafePathException {
      return waiting.isPresent() ? waiting.get().target() : names.of(stream);
    }

    @Override
    public Optional<RestoredStream> at(TargetPath target)
        throws StreamFailure, IOException, InterruptedException {
      return waiting.isPresent()
          ? Optional.of(commit(waiting.get(), notDurable))
          : write(new StreamRestore(run, stream, target));
    }

    private Optional<RestoredStream> write(StreamRestore restore)
        throws StreamFailure, IOException, InterruptedException {
      String why = stopped.get();
      if (why != null) {
        throw new StreamFailure(RestoreResult.FAILED, RestoredStream.NOT_TRIED + why, null);
      }
      boolean waits = false;
      try {
        Optional<RestoredStream> now = restore.write();
        if (now.isEmpty()) {
          waiting = Optional.of(restore);
          run.sync().add(restore.descriptor(), restore.device(), restore.placedEndBytes(), this);
          waits = true;
        }
        return now;
      } finally {
        if (!waits) {
          restore.close();
        }
      }
    }
  }

  private static RestoredStream commit(StreamRestore restore, Optional<Throwable> failure)
      throws StreamFailure, IOException {
    try (restore) {
      if (failure.isPresent()) {
        discard(restore, failure.get());
      }
      Jobs.rethrow(failure.orElse(null));
      return restore.commit();
    }
  }

  private static void discard(StreamRestore restore, Throwable why) {
    try {
      restore.discard();
    } catch (IOException e) {
      why.addSuppressed(e);
    }
  }

  /** The work on one stream; returns nothing where more is to be done. */
  private interface Work {
    Optional<RestoredStream> at(TargetPath target)
        throws StreamFailure, IOException, InterruptedException;
  }

  /** Tells where a file goes. */
  private interface Place {
    TargetPath get() throws UnsafePathException;
  }

  private Optional<RestoredStream> attempt(ArchivedStream stream, Place place, Work work)
      throws InterruptedIOException {
    Optional<TargetPath> where = Optional.empty();
    try {
      TargetPath target = place.get();
      where = Optional.of(target);
      return work.at(target);
    } catch (UnsafePathException e) {
      String why = e.getMessage() + ". Hint: tailwater cat prints the stream's bytes by its id";
      return Optional.of(failed(stream, where, RestoreResult.FAILED, why, false));
    } catch (StreamFailure e) {
      if (e.getCause() != null) {
        toBeContinued = true;
      }
      noteIfUnusable(e.getCause());
      return Optional.of(
          e.result == RestoreResult.LOCKED
              ? locked(stream)
              : failed(stream, where, e.result, String.valueOf(e.getMessage()), e.isMissing));
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      toBeContinued = true;
      noteIfUnusable(e);
      return Optional.of(failed(stream, where, RestoreResult.FAILED, explained(e), false));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }

  /** What went wrong in the target, and what helps. */
  static String explained(IOException e) {
    String hint =
        switch (e instanceof ErrnoException errno ? errno.errno() : Errno.OTHER) {
          case ELOOP -> ". Hint: a symbolic link is in the way; restore never follows them";
          case ENOTDIR -> ". Hint: something else has the name of a directory that is needed";
          case EMFILE, ENFILE -> ". Hint: raise the limit of open files: ulimit -n 65536";
          default -> "";
        };
    return ErrnoException.messageForUser(e) + hint;
  }

  private void noteIfUnusable(@Nullable Throwable cause) {
    if (cause instanceof ErrnoException e && isUnusable(e)) {
      stopped.compareAndSet(null, ErrnoException.messageForUser(e));
    }
  }

  /** Returns whether nothing else in the target will succeed either. */
  static boolean isUnusable(ErrnoException e) {
    return TARGET_IS_UNUSABLE.contains(e.errno());
  }

  /** Returns the result for a stream that no identity opens. */
  private static RestoredStream locked(ArchivedStream stream) {
    return new RestoredStream(
        stream.agent(),
        stream.id(),
        stream.path(),
        Optional.empty(),
        RestoreResult.LOCKED,
        0,
        stream.openGaps(),
        stream.missing(),
        stream.damages(),
        Optional.of("no identity opens it. Hint: " + LOCKED_HINT));
  }

  private static RestoredStream failed(
      ArchivedStream stream,
      Optional<TargetPath> where,
      RestoreResult result,
      String why,
      boolean isMissing) {
    return new RestoredStream(
        stream.agent(),
        stream.id(),
        stream.path(),
        where.map(TargetPath::relative),
        result,
        0,
        stream.openGaps(),
        isMissing ? stream.missingWhere(new RangeSet()) : stream.missing(),
        Stream.concat(stream.damages().stream(), stream.refusals().stream()).toList(),
        Optional.of(why));
  }

  /** What is known of a run when it is over. */
  private record Ending(
      ArchiveIndex index,
      TargetNames names,
      LockCheck locks,
      Optional<String> problem,
      Optional<UnsetOwners> unset,
      Optional<UnsetAttributes> unsetAttributes,
      TreeReport tree) {
    /** Of a run that has written nothing. */
    static Ending of(ArchiveIndex index, TargetNames names, LockCheck locks, TreeReport tree) {
      return new Ending(
          index, names, locks, Optional.empty(), Optional.empty(), Optional.empty(), tree);
    }

    RestoreReport report(Map<ArchivedStream, RestoredStream> results) {
      List<RestoredStream> ordered = new ArrayList<>(results.size());
      for (ArchivedStream stream : index.streams()) {
        RestoredStream result = results.get(stream);
        if (result != null) {
          ordered.add(result);
        }
      }
      long complete = 0;
      long partial = 0;
      long locked = 0;
      for (RestoredStream stream : ordered) {
        switch (stream.result()) {
          case RESTORED, ALREADY_THERE -> complete++;
          case INCOMPLETE, DOUBTFUL -> partial++;
          case LOCKED -> locked++;
          case REFUSED, FAILED -> {}
        }
      }
      return new RestoreReport(
          ordered,
          names.contested(),
          locks.report(locks.isEverything() ? locks.count() : locked),
          index.foreign(),
          outcome(complete, partial, ordered.size() - complete - partial),
          problem,
          unset,
          unsetAttributes,
          tree);
    }

    private Outcome outcome(long complete, long partial, long failed) {
      if (index.foundNothing()) {
        return Outcome.FAILED;
      }
      boolean atOdds =
          problem.isPresent()
              || unset.isPresent()
              || unsetAttributes.isPresent()
              || tree.isPartial()
              || !names.contested().isEmpty()
              || index.isMoreInPacks()
              || index.hasDamagedDrains();
      Outcome outcome = Outcome.of(complete, partial, failed);
      return outcome == Outcome.DONE && atOdds ? Outcome.PARTIAL : outcome;
    }
  }
}
