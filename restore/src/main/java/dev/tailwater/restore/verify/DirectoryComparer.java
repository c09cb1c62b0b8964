package dev.tailwater.restore.verify;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.destination.Destination;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.EscapedPath;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.EntryType;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.OpenFlag;
import dev.tailwater.posix.value.StatFlag;
import dev.tailwater.restore.Jobs;
import dev.tailwater.restore.Outcome;
import dev.tailwater.restore.ReadOptions;
import dev.tailwater.restore.RestoreProgress;
import dev.tailwater.restore.attribute.AttributeSetter;
import dev.tailwater.restore.attribute.OwnerChoice;
import dev.tailwater.restore.attribute.OwnerIds;
import dev.tailwater.restore.list.ArchiveIndex;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.list.SegmentSource;
import dev.tailwater.restore.name.TargetPath;
import dev.tailwater.restore.place.TargetTree;
import dev.tailwater.restore.read.LocalBytes;
import dev.tailwater.restore.tree.ArchivedTree;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Compares an archive with files that are still there: on the machine that ships them, or in a
 * directory into which it was restored. Encrypted segments need the content key or an identity.
 *
 * <p>A stream whose last known path lies in the directory is compared with the file that has this
 * path; any other with the file that a restore into the directory would make of it. Files are
 * opened without following symbolic links, and are not changed.
 */
public final class DirectoryComparer {
  private static final PosixPath WORKING_DIRECTORY = PosixPath.of("/proc/self/cwd");
  private static final PosixPath ROOT = PosixPath.of("/");
  private static final Set<StatFlag> ITSELF = EnumSet.of(StatFlag.NO_FOLLOW);
  private static final Set<OpenFlag> LOOK = EnumSet.of(OpenFlag.NO_FOLLOW, OpenFlag.NON_BLOCK);

  private final FileCalls calls;
  private final SegmentSource source;
  private final ReadOptions options;
  private final RestoreProgress progress;
  private final Optional<OwnerChoice> tree;
  private final boolean extendedAttributes;
  private final Optional<UnarchivedScope> unarchived;

  /** Creates a comparer of files. */
  public DirectoryComparer(
      FileCalls calls, Destination destination, ReadOptions options, RestoreProgress progress) {
    this(
        calls,
        new SegmentSource(destination, options),
        options,
        progress,
        Optional.empty(),
        false,
        Optional.empty());
  }

  private DirectoryComparer(
      FileCalls calls,
      SegmentSource source,
      ReadOptions options,
      RestoreProgress progress,
      Optional<OwnerChoice> tree,
      boolean extendedAttributes,
      Optional<UnarchivedScope> unarchived) {
    this.calls = calls;
    this.source = source;
    this.options = options;
    this.progress = progress;
    this.tree = tree;
    this.extendedAttributes = extendedAttributes;
    this.unarchived = unarchived;
  }

  /**
   * Returns one that compares more than bytes: directories and links, and modes of files; and the
   * owners of all, if a restore would set them.
   */
  public DirectoryComparer withTree(OwnerChoice owners) {
    return new DirectoryComparer(
        calls, source, options, progress, Optional.of(owners), extendedAttributes, unarchived);
  }

  /** Returns one that compares extended attributes and ACLs of all these too. */
  public DirectoryComparer withExtendedAttributes(boolean compare) {
    return new DirectoryComparer(calls, source, options, progress, tree, compare, unarchived);
  }

  /** Returns one that also looks for files in the directory that the archive does not have. */
  public DirectoryComparer withUnarchived(UnarchivedScope scope) {
    return new DirectoryComparer(
        calls, source, options, progress, tree, extendedAttributes, Optional.of(scope));
  }

  /** What the comparisons of one run share. */
  private record Run(
      TargetTree target,
      FilePlaces places,
      AttributeDifferences attributes,
      Set<KnownFiles.Inode> linked) {}

  /**
   * Compares all streams of an index. Files that the archive does not have are looked for below any
   * directory except {@code /}, where what was never meant to be shipped would be found.
   *
   * @param directory absolute, or relative to the working directory
   * @throws IOException the directory cannot be opened, or the thread was interrupted
   */
  public CompareReport compare(ArchiveIndex index, PosixPath directory) throws IOException {
    PosixPath absolute = absolute(directory);
    boolean isLocked =
        options.identities().isEmpty() && index.treePacks().stream().anyMatch(PackName::encrypted);
    List<ArchivedTree> trees =
        tree.isPresent() && !isLocked ? ArchivedTree.read(source, index) : List.of();
    FilePlaces places = FilePlaces.of(index, trees, absolute);
    List<ArchivedStream> streams = index.streams();
    progress.planned(streams.size(), ArchivedStream.coveredBytes(streams));
    Map<ArchivedStream, ComparedStream> results = new ConcurrentHashMap<>();
    AttributeDifferences attributes =
        new AttributeDifferences(
            OwnerIds.of(calls, tree.orElse(OwnerChoice.NONE)),
            extendedAttributes && !isLocked
                ? Optional.of(new AttributeSetter(extendedAttributes, trees))
                : Optional.empty());
    try (TargetTree target = TargetTree.open(calls, directory)) {
      Run run = new Run(target, places, attributes, ConcurrentHashMap.newKeySet());
      Jobs.forEach(
          "compare",
          streams,
          options.jobs(),
          stream -> {
            results.put(stream, compareOne(run, stream));
            progress.finished();
          });
      TreeComparison compared =
          isLocked
              ? TreeComparison.LOCKED
              : compareTrees(target, index, trees, absolute, attributes, places);
      Optional<UnarchivedFiles> notStored =
          unarchived.isPresent() && !absolute.equals(ROOT)
              ? Optional.of(search(run, index, trees, results, unarchived.get()))
              : Optional.empty();
      boolean unsearched = unarchived.isPresent() && notStored.isEmpty();
      CompareReport report =
          report(index, results, tree.isPresent() ? compared : TreeComparison.NONE, notStored);
      // A search would have found these files, which the archive does not have.
      boolean notAll = unsearched && !report.replacedByFiles().isEmpty();
      return notAll && report.outcome() == Outcome.DONE
          ? report.withOutcome(Outcome.PARTIAL)
          : report;
    }
  }

  private UnarchivedFiles search(
      Run run,
      ArchiveIndex index,
      List<ArchivedTree> trees,
      Map<ArchivedStream, ComparedStream> results,
      UnarchivedScope scope)
      throws IOException {
    KnownFiles known =
        new KnownFiles(
            calls,
            index.agents(),
            run.linked,
            (stream, path, file) -> results.put(stream, compareRenamed(run, stream, path, file)));
    PosixPath directory = run.places.directory();
    boolean original =
        trees.stream()
            .flatMap(one -> one.directories().keySet().stream())
            .anyMatch(path -> path.startsWith(directory));
    for (ArchivedStream stream : index.streams()) {
      Optional<FilePlaces.Place> place = run.places.of(stream);
      original |= place.isPresent() && place.get().original();
      ComparedStream result = results.get(stream);
      if (result != null && isMissing(result)) {
        // What a file held before it began anew is not what it holds now.
        if (!place.map(FilePlaces.Place::isSuperseded).orElse(false)) {
          known.addMissing(stream);
        }
      } else {
        place.ifPresent(at -> known.add(at.path()));
      }
    }
    Predicate<PosixPath> wanted =
        original
            ? path -> index.selects(directory.resolve(path))
            : path -> index.selects(archived(path, index.agents()));
    return new UnarchivedSearch(calls, run.target, directory, scope, known, wanted).run();
  }

  private static boolean isMissing(ComparedStream stream) {
    return stream.result() == CompareResult.NOT_THERE || stream.result() == CompareResult.REPLACED;
  }

  /** Returns the path that a file had which a restore puts at a path below its directory. */
  private static PosixPath archived(PosixPath restored, SortedSet<String> agents) {
    if (agents.size() > 1) {
      for (String agent : agents) {
        PosixPath above = PosixPath.of(agent);
        if (restored.startsWith(above)) {
          return ROOT.resolve(restored.below(above));
        }
      }
    }
    return ROOT.resolve(restored);
  }

  private ComparedStream compareRenamed(
      Run run, ArchivedStream stream, TargetPath path, Descriptor file)
      throws InterruptedIOException {
    Finding finding = new Finding(stream, Optional.of(path.relative()));
    try {
      return compareOpen(run, finding, file, new FilePlaces.Place(path, true, false, false));
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      return finding.unknown(ErrnoException.messageForUser(e));
    }
  }

  private TreeComparison compareTrees(
      TargetTree target,
      ArchiveIndex index,
      List<ArchivedTree> trees,
      PosixPath directory,
      AttributeDifferences attributes,
      FilePlaces places) {
    boolean agentDirectories = index.agents().size() > 1;
    return new TreeComparer(target, calls, directory, agentDirectories, attributes, index::selects)
        .compare(trees, places);
  }

  private PosixPath absolute(PosixPath directory) throws ErrnoException {
    PosixPath whole =
        directory.isAbsolute()
            ? directory
            : calls.readLink(FileCalls.AT_FDCWD, WORKING_DIRECTORY).resolve(directory);
    return TargetPath.normalized(whole);
  }

  private ComparedStream compareOne(Run run, ArchivedStream stream) throws InterruptedIOException {
    Optional<FilePlaces.Place> place = run.places.of(stream);
    if (place.isEmpty()) {
      return new Finding(stream, Optional.empty()).without(CompareResult.NOT_THERE);
    }
    TargetPath path = place.get().path();
    Finding finding = new Finding(stream, Optional.of(path.relative()));
    try (Descriptor parent = run.target.directory(path.directories())) {
      return compareIn(run, parent, finding, place.get());
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      boolean isBlocked = isOneOf(e, Errno.ENOTDIR, Errno.ELOOP);
      Optional<PosixPath> link = isBlocked ? linkAbove(run.target, path) : Optional.empty();
      if (link.isPresent() && place.get().isOver()) {
        return finding.without(CompareResult.NOT_THERE);
      }
      if (link.isPresent()) {
        String itself = EscapedPath.of(run.places.directory().resolve(link.get()));
        return finding.unknown(
            itself
                + " is a symbolic link, and not followed"
                + (place.get().original()
                    ? ". Hint: --against " + itself + " compares what it leads to"
                    : ""));
      }
      return isOneOf(e, Errno.ENOENT, Errno.ENOTDIR)
          ? finding.without(CompareResult.NOT_THERE)
          : finding.unknown(ErrnoException.messageForUser(e));
    }
  }

  private static boolean isOneOf(IOException e, Errno one, Errno other) {
    return e instanceof ErrnoException errno && (errno.errno() == one || errno.errno() == other);
  }

  /** Returns the first symbolic link among the directories of a path, if it is one that stops. */
  private Optional<PosixPath> linkAbove(TargetTree target, TargetPath path) {
    List<PosixPath> names = path.directories();
    PosixPath relative = PosixPath.EMPTY;
    for (int depth = 0; depth < names.size(); depth++) {
      try (Descriptor above = target.directory(names.subList(0, depth))) {
        relative = relative.resolve(names.get(depth));
        FileStatus status = calls.statx(above.fd(), names.get(depth), ITSELF);
        if (status.type() == EntryType.SYMBOLIC_LINK) {
          return Optional.of(relative);
        }
      } catch (ErrnoException e) {
        return Optional.empty(); // Something else stopped it, or it is gone meanwhile.
      }
    }
    return Optional.empty();
  }

  private ComparedStream compareIn(
      Run run, Descriptor parent, Finding finding, FilePlaces.Place place) throws IOException {
    try (Descriptor file = TargetTree.open(calls, parent.fd(), place.path().name(), LOOK, 0)) {
      FileStatus status = calls.fstat(file.fd());
      boolean isPlain = status.type() == EntryType.REGULAR;
      boolean isMounted = isMountedIn(parent, status);
      // The file that was shipped does not become something else: it has left its path.
      if (place.isSuperseded() || (place.original() && !isPlain && !isMounted)) {
        return finding.without(CompareResult.REPLACED);
      }
      if (!isPlain) {
        return finding.unknown(
            isMounted ? "something is mounted over it" : "it is not a plain file");
      }
      ComparedStream compared = compareOpen(run, finding, file, place);
      if (status.links() > 1 && compared.result() != CompareResult.REPLACED) {
        run.linked.add(KnownFiles.Inode.of(status));
      }
      return compared;
    } catch (ErrnoException e) {
      if (isReplaced(parent, place)) {
        return finding.without(CompareResult.REPLACED);
      }
      throw e;
    }
  }

  /**
   * Whether something has the path of a file that was shipped which never was that file, such as a
   * socket or a device, which may not even be opened. A symbolic link may be the name of one, and
   * below what is mounted there it may be yet.
   */
  private boolean isReplaced(Descriptor parent, FilePlaces.Place place) {
    try {
      FileStatus there = calls.statx(parent.fd(), place.path().name(), ITSELF);
      if (isMountedIn(parent, there)) {
        return false;
      }
      return switch (there.type()) {
        case REGULAR, UNKNOWN -> false;
        case SYMBOLIC_LINK -> place.isOver();
        case DIRECTORY, FIFO, SOCKET, CHARACTER_DEVICE, BLOCK_DEVICE -> place.original();
      };
    } catch (ErrnoException e) {
      return false; // It is gone meanwhile, or cannot be looked at.
    }
  }

  /** Whether something is mounted on its name, as to hide the file that is below. */
  private boolean isMountedIn(Descriptor parent, FileStatus there) throws ErrnoException {
    return there.mountId() != calls.fstat(parent.fd()).mountId();
  }

  private ComparedStream compareOpen(
      Run run, Finding finding, Descriptor file, FilePlaces.Place place) throws IOException {
    try (LocalBytes local = new LocalBytes(calls)) {
      FileComparison comparison = new FileComparison(source, local, file, finding.stream, progress);
      comparison.run();
      AttributeComparison compared =
          tree.isPresent() ? comparison.attributes(run.attributes) : AttributeComparison.NONE;
      boolean otherBytes = !comparison.differences().isEmpty();
      boolean different = otherBytes || compared.difference().isPresent();
      // A file that is gone gets no more bytes: it is another one that has more.
      boolean isLonger = place.isOver() && !comparison.undelivered().isEmpty();
      if ((different || isLonger) && place.original() && !isFileOf(finding.stream, file)) {
        if (!otherBytes && !isLonger) {
          return finding.of(comparison, AttributeComparison.NONE);
        }
        return isExcluded(run, finding)
            ? finding.without(CompareResult.REPLACED)
            : finding.replacedByFile();
      }
      return finding.of(comparison, compared);
    }
  }

  /** Whether the archive need not have the file at the path, as the user says. */
  private boolean isExcluded(Run run, Finding finding) {
    return unarchived.isPresent()
        && finding
            .file
            .map(run.places.directory()::resolve)
            .filter(unarchived.get().excluded())
            .isPresent();
  }

  /** Whether the inode is the one the stream was read from, in whatever epoch. */
  private boolean isFileOf(ArchivedStream stream, Descriptor file) throws IOException {
    FileIdentity identity = FileIdentity.of(calls, file.fd());
    return StreamId.of(stream.agent(), identity, 0)
        .withoutEpoch()
        .equals(stream.id().withoutEpoch());
  }

  private static CompareReport report(
      ArchiveIndex index,
      Map<ArchivedStream, ComparedStream> results,
      TreeComparison tree,
      Optional<UnarchivedFiles> unarchived) {
    List<ComparedStream> ordered = new ArrayList<>();
    long good = 0;
    long partial = 0;
    for (ArchivedStream stream : index.streams()) {
      ComparedStream result = results.get(stream);
      if (result == null) {
        throw new IllegalStateException("not compared: " + stream);
      }
      ordered.add(result);
      switch (result.result()) {
        case SAME, NOT_THERE, REPLACED -> good++;
        case UNDELIVERED, ATTRIBUTES_DIFFER -> partial++;
        case DIFFERENT, UNKNOWN -> {}
      }
    }
    Outcome outcome =
        index.foundNothing()
            ? Outcome.FAILED
            : Outcome.of(good, partial, ordered.size() - good - partial);
    boolean notAll =
        !tree.isSame()
            || index.isMoreInPacks()
            || !unarchived.map(UnarchivedFiles::isNone).orElse(true);
    CompareReport report = new CompareReport(ordered, tree, unarchived, outcome);
    return outcome == Outcome.DONE && (notAll || report.isNothingThere())
        ? report.withOutcome(Outcome.PARTIAL)
        : report;
  }

  /** Builds the entry of one stream. */
  private record Finding(ArchivedStream stream, Optional<PosixPath> file) {
    ComparedStream without(CompareResult result) {
      return entry(result, 0, List.of(), List.of(), AttributeComparison.NONE, Optional.empty());
    }

    ComparedStream unknown(String problem) {
      return without(CompareResult.UNKNOWN, problem);
    }

    ComparedStream replacedByFile() {
      return without(CompareResult.REPLACED, "another file has its path, and was not compared");
    }

    private ComparedStream without(CompareResult result, String problem) {
      return entry(result, 0, List.of(), List.of(), AttributeComparison.NONE, Optional.of(problem));
    }

    ComparedStream of(FileComparison comparison, AttributeComparison attributes)
        throws IOException {
      List<ByteRange> undelivered = comparison.undelivered();
      CompareResult result = CompareResult.SAME;
      if (!comparison.differences().isEmpty()) {
        result = CompareResult.DIFFERENT;
      } else if (!comparison.unknown().isEmpty()) {
        result = CompareResult.UNKNOWN;
      } else if (!undelivered.isEmpty()) {
        result = CompareResult.UNDELIVERED;
      } else if (attributes.difference().isPresent()) {
        result = CompareResult.ATTRIBUTES_DIFFER;
      }
      return entry(
          result,
          comparison.sameBytes(),
          comparison.differences(),
          undelivered,
          attributes,
          comparison.unknown().stream().findFirst());
    }

    private ComparedStream entry(
        CompareResult result,
        long comparedBytes,
        List<Difference> differences,
        List<ByteRange> undelivered,
        AttributeComparison attributes,
        Optional<String> problem) {
      return new ComparedStream(
          stream.agent(),
          stream.id(),
          stream.path(),
          file,
          result,
          comparedBytes,
          differences,
          undelivered,
          attributes,
          problem);
    }
  }
}
