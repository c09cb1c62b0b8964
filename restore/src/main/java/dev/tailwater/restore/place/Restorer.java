package dev.tailwater.restore.place;

import dev.tailwater.archive.pack.DirectoryStatement;
import dev.tailwater.destination.Destination;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.Jobs;
import dev.tailwater.restore.RestoreProgress;
import dev.tailwater.restore.attribute.AttributeSetter;
import dev.tailwater.restore.attribute.AttributeTools;
import dev.tailwater.restore.attribute.ModeSetter;
import dev.tailwater.restore.attribute.Owners;
import dev.tailwater.restore.durable.DescriptorShares;
import dev.tailwater.restore.durable.GroupSync;
import dev.tailwater.restore.list.ArchiveIndex;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.list.Claims;
import dev.tailwater.restore.list.SegmentSource;
import dev.tailwater.restore.name.TargetNames;
import dev.tailwater.restore.name.TargetPath;
import dev.tailwater.restore.read.LockCheck;
import dev.tailwater.restore.tree.ArchivedTree;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

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
  private final FileCalls calls;
  private final Destination destination;
  private final RestoreOptions options;
  private final RestoreProgress progress;
  private final StreamAttempts attempts = new StreamAttempts();

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
      streams.forEach(stream -> results.put(stream, StreamAttempts.locked(stream)));
      TargetNames names = TargetNames.of(index);
      return RestoreEnding.of(index, names, locks, TreeReport.NONE).report(results);
    }
    List<ArchivedTree> trees = trees(source, index);
    TargetNames names = TargetNames.of(index, trees);
    AttributeTools tools =
        new AttributeTools(
            Owners.of(calls, options.owners()),
            new AttributeSetter(options.extendedAttributes(), trees),
            new ModeSetter(),
            new AtomicLong());
    DescriptorShares shares = DescriptorShares.ofProcess();
    try (TargetTree tree = TargetTree.create(calls, directory);
        OpenDirectories directories = new OpenDirectories(tree, shares.directories());
        PiecePlacer placer = new PiecePlacer(source, tree.mount(), jobs, progress);
        GroupSync sync =
            GroupSync.start(calls, tree.root(), options.sync(), shares.waitingFiles())) {
      TreeRestore restore =
          new TreeRestore(
              tree, tools, options.overwrite(), index.agents().size() > 1, index::selects);
      if (!trees.isEmpty()) {
        tree.listUnfinished(index.agents());
        restore.openDirectories(trees);
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
              StreamWriting writing = new StreamWriting(run, stream, names, attempts, results);
              if (locks.isLocked(stream)) {
                writing.ended(StreamAttempts.locked(stream));
              } else {
                writing.begin();
              }
            }
          });
      sync.finish();
      restore.make(trees, files(names, results));
      Optional<String> problem = sync(tree);
      // Behind the syncs, for which directories must be opened.
      restore.finishDirectories(trees);
      if (!attempts.isToBeContinued() && !restore.isToBeContinued()) {
        Optional<String> leftOver = finishUnfinished(tree);
        problem =
            Stream.concat(problem.stream(), leftOver.stream())
                .reduce((one, other) -> one + "; " + other);
      }
      return new RestoreEnding(
              index,
              names,
              locks,
              problem,
              tools.owners().unset(),
              tools.extended().unset(),
              tools.modes().unset(),
              tools.unvouched().get(),
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
                    ? Optional.of(StreamAttempts.locked(stream))
                    : attempts.attempt(
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
      return RestoreEnding.of(index, names, locks, there).report(results);
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

  /** What keeps the list of unfinished directories from being removed. */
  private static Optional<String> finishUnfinished(TargetTree tree) {
    try {
      tree.finishUnfinished();
      return Optional.empty();
    } catch (ErrnoException e) {
      return Optional.of(
          "a file in the target directory could not be removed; remove it by hand: "
              + ErrnoException.messageForUser(e));
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
          "the names of restored files may not survive a power cut: "
              + TargetFailures.explained(e));
    }
  }
}
