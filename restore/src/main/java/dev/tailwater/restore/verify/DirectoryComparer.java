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
import dev.tailwater.restore.list.ArchivedTree;
import dev.tailwater.restore.list.SegmentSource;
import dev.tailwater.restore.place.LocalBytes;
import dev.tailwater.restore.place.TargetPath;
import dev.tailwater.restore.place.TargetTree;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

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
  private static final Set<StatFlag> ITSELF = EnumSet.of(StatFlag.NO_FOLLOW);
  private static final Set<OpenFlag> LOOK = EnumSet.of(OpenFlag.NO_FOLLOW, OpenFlag.NON_BLOCK);

  private final FileCalls calls;
  private final SegmentSource source;
  private final ReadOptions options;
  private final RestoreProgress progress;
  private final Optional<OwnerChoice> tree;
  private final boolean extendedAttributes;

  /** Creates a comparer of files. */
  public DirectoryComparer(
      FileCalls calls, Destination destination, ReadOptions options, RestoreProgress progress) {
    this(
        calls, new SegmentSource(destination, options), options, progress, Optional.empty(), false);
  }

  private DirectoryComparer(
      FileCalls calls,
      SegmentSource source,
      ReadOptions options,
      RestoreProgress progress,
      Optional<OwnerChoice> tree,
      boolean extendedAttributes) {
    this.calls = calls;
    this.source = source;
    this.options = options;
    this.progress = progress;
    this.tree = tree;
    this.extendedAttributes = extendedAttributes;
  }

  /**
   * Returns one that compares more than bytes: directories and links, and modes of files; and the
   * owners of all, if a restore would set them.
   */
  public DirectoryComparer withTree(OwnerChoice owners) {
    return new DirectoryComparer(
        calls, source, options, progress, Optional.of(owners), extendedAttributes);
  }

  /** Returns one that compares extended attributes and ACLs of all these too. */
  public DirectoryComparer withExtendedAttributes(boolean compare) {
    return new DirectoryComparer(calls, source, options, progress, tree, compare);
  }

  /**
   * Compares all streams of an index.
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
    progress.planned(
        streams.size(), streams.stream().mapToLong(ArchivedStream::coveredBytes).sum());
    Map<ArchivedStream, ComparedStream> results = new ConcurrentHashMap<>();
    AttributeDifferences attributes =
        new AttributeDifferences(
            OwnerIds.of(calls, tree.orElse(OwnerChoice.NONE)),
            extendedAttributes && !isLocked
                ? Optional.of(new AttributeSetter(extendedAttributes, trees))
                : Optional.empty());
    try (TargetTree target = TargetTree.open(calls, directory)) {
      Jobs.forEach(
          "compare",
          streams,
          options.jobs(),
          stream -> {
            results.put(stream, compareOne(target, stream, places, attributes));
            progress.finished();
          });
      TreeComparison compared =
          isLocked
              ? TreeComparison.LOCKED
              : compareTrees(target, index, trees, absolute, attributes, places);
      return report(index, results, tree.isPresent() ? compared : TreeComparison.NONE);
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

  private ComparedStream compareOne(
      TargetTree target, ArchivedStream stream, FilePlaces places, AttributeDifferences attributes)
      throws InterruptedIOException {
    Optional<FilePlaces.Place> place = places.of(stream);
    if (place.isEmpty()) {
      return new Finding(stream, Optional.empty()).without(CompareResult.NOT_THERE);
    }
    TargetPath path = place.get().path();
    Finding finding = new Finding(stream, Optional.of(path.relative()));
    try (Descriptor parent = target.directory(path.directories())) {
      return compareIn(parent, finding, place.get(), attributes);
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      boolean isBlocked = isOneOf(e, Errno.ENOTDIR, Errno.ELOOP);
      Optional<PosixPath> link = isBlocked ? linkAbove(target, path) : Optional.empty();
      if (link.isPresent()) {
        String itself = EscapedPath.of(places.directory().resolve(link.get()));
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
      Descriptor parent, Finding finding, FilePlaces.Place place, AttributeDifferences attributes)
      throws IOException {
    try (Descriptor file = TargetTree.open(calls, parent.fd(), place.path().name(), LOOK, 0)) {
      boolean isPlain = calls.fstat(file.fd()).type() == EntryType.REGULAR;
      if (place.isSuperseded() || (place.isOver() && !isPlain)) {
        return finding.without(CompareResult.REPLACED);
      }
      return isPlain
          ? compareOpen(finding, file, place.original(), attributes)
          : finding.unknown("it is not a plain file");
    } catch (ErrnoException e) {
      // A symbolic link, or a socket or device: no file that was archived.
      boolean isNoFile = e.errno() == Errno.ELOOP || e.errno() == Errno.ENXIO;
      if (isNoFile && place.isOver()) {
        return finding.without(CompareResult.REPLACED);
      }
      throw e;
    }
  }

  private ComparedStream compareOpen(
      Finding finding, Descriptor file, boolean original, AttributeDifferences attributes)
      throws IOException {
    try (LocalBytes local = new LocalBytes(calls)) {
      FileComparison comparison = new FileComparison(source, local, file, finding.stream, progress);
      comparison.run();
      AttributeComparison compared =
          tree.isPresent() ? comparison.attributes(attributes) : AttributeComparison.NONE;
      boolean otherBytes = !comparison.differences().isEmpty();
      boolean different = otherBytes || compared.difference().isPresent();
      if (different && original && !isFileOf(finding.stream, file)) {
        return otherBytes
            ? finding.without(CompareResult.REPLACED)
            : finding.of(comparison, AttributeComparison.NONE);
      }
      return finding.of(comparison, compared);
    }
  }

  /** Whether the inode is the one the stream was read from, in whatever epoch. */
  private boolean isFileOf(ArchivedStream stream, Descriptor file) throws IOException {
    FileIdentity identity = FileIdentity.of(calls, file.fd());
    return StreamId.of(stream.agent(), identity, 0)
        .withoutEpoch()
        .equals(stream.id().withoutEpoch());
  }

  private static CompareReport report(
      ArchiveIndex index, Map<ArchivedStream, ComparedStream> results, TreeComparison tree) {
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
    boolean notAll = outcome == Outcome.DONE && (!tree.isSame() || index.isMoreInPacks());
    return new CompareReport(ordered, tree, notAll ? Outcome.PARTIAL : outcome);
  }

  /** Builds the entry of one stream. */
  private record Finding(ArchivedStream stream, Optional<PosixPath> file) {
    ComparedStream without(CompareResult result) {
      return entry(result, 0, List.of(), List.of(), AttributeComparison.NONE, Optional.empty());
    }

    ComparedStream unknown(String problem) {
      return entry(
          CompareResult.UNKNOWN,
          0,
          List.of(),
          List.of(),
          AttributeComparison.NONE,
          Optional.of(problem));
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
