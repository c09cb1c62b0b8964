package dev.tailwater.restore.place;

import dev.tailwater.archive.ArchiveException;
import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.RangeSet;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.io.Descriptor;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.RestoreProgress;
import dev.tailwater.restore.StoredGap;
import dev.tailwater.restore.StoredSegment;
import dev.tailwater.restore.attribute.AttributeTools;
import dev.tailwater.restore.attribute.FileAttributes;
import dev.tailwater.restore.attribute.KnownAttributes;
import dev.tailwater.restore.durable.GroupSync;
import dev.tailwater.restore.list.ArchivedStream;
import dev.tailwater.restore.list.SegmentSource;
import dev.tailwater.restore.name.PartialName;
import dev.tailwater.restore.name.TargetPath;
import dev.tailwater.restore.read.Cover;
import dev.tailwater.restore.read.LocalBytes;
import dev.tailwater.restore.read.OverlapCheck;
import dev.tailwater.restore.read.Piece;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;

/**
 * The restore of one file: looks whether it is there, places the pieces of the cover, tries other
 * segments for what was lost, and gives the file its name when it is durable. For one use by one
 * thread at a time.
 */
final class StreamRestore implements AutoCloseable {
  static final String ALL_PLAIN =
      "none of its segments is encrypted, and with an identity only encrypted ones are trusted."
          + " Hint: --allow-plain takes the others too";

  /** What all streams of a run share. */
  record Run(
      FileCalls calls,
      OpenDirectories directories,
      UnnamedFiles unnamed,
      SegmentSource source,
      PiecePlacer placer,
      NamesAlike alike,
      GroupSync sync,
      AttributeTools tools,
      RestoreOptions options,
      RestoreProgress progress) {}

  private final Run run;
  private final TargetPath target;
  private final Set<StoredSegment> excluded = new HashSet<>();
  private final List<Damage> damages = new ArrayList<>();
  private final OverlapCheck overlap;
  private final TakenName taken;
  private ArchivedStream stream;
  private final Placements placements;
  private int listings;
  private Optional<OpenDirectories.Lease> directory = Optional.empty();
  private Optional<PartialFile> file = Optional.empty();

  /** What may be replaced and has its name. */
  private Optional<TakenName.Found> existing = Optional.empty();

  StreamRestore(Run run, ArchivedStream stream, TargetPath target) {
    this.run = run;
    this.stream = stream;
    this.target = target;
    this.overlap = OverlapCheck.of(stream);
    this.taken = new TakenName(run.calls, run.source, run.options.overwrite());
    this.placements = new Placements(new KnownAttributes(stream));
    damages.addAll(stream.damages());
  }

  /**
   * Writes the file, unless it is there.
   *
   * @return what became of it; empty when {@link #commit} is to follow
   * @throws StreamFailure there is no file, and why
   * @throws IOException a call on the target failed
   */
  Optional<RestoredStream> write() throws StreamFailure, IOException, InterruptedException {
    if (stream.segments().isEmpty() && !stream.refused().isEmpty()) {
      throw StreamFailure.missing(RestoreResult.FAILED, ALL_PLAIN);
    }
    List<Piece> pieces = cover(new ByteRange(0, stream.storedEndBytes()));
    OpenDirectories.Lease lease = run.directories.open(target.directories());
    directory = Optional.of(lease);
    existing =
        lease.isNew()
            ? Optional.empty()
            : taken.find(lease.directory(), target.name(), stream, pieces);
    if (!lease.isNew()) { // Else nothing is replaced.
      run.alike.claim(target, existing);
    }
    if (existing.filter(one -> one.verdict() == ExistingFile.Verdict.SAME).isPresent()) {
      stream.covered().ranges().forEach(placements.placed()::add);
      compareOverlaps();
      return Optional.of(report(RestoreResult.ALREADY_THERE));
    }
    PartialFile partial = create(lease);
    file = Optional.of(partial);
    fill(partial, pieces);
    if (placements.placed().isEmpty() && !pieces.isEmpty()) {
      partial.discard();
      throw nothingOpens();
    }
    compareOverlaps();
    partial.complete(placedEndBytes(), attributes(partial), stream.path(), run.tools);
    return Optional.empty();
  }

  private PartialFile create(OpenDirectories.Lease lease) throws IOException {
    return run.unnamed.isFor(lease, stream)
        ? PartialFile.createUnnamed(lease.directory())
        : PartialFile.open(lease.directory(), PartialName.nameOf(stream.prefix()));
  }

  private StreamFailure nothingOpens() {
    boolean locked = damages.stream().allMatch(one -> one.kind() == Damage.Kind.LOCKED);
    String why =
        damages.isEmpty()
            ? "nothing is known"
            : damages.getLast().key() + ": " + damages.getLast().why();
    return StreamFailure.missing(
        locked && !damages.isEmpty() ? RestoreResult.LOCKED : RestoreResult.FAILED,
        "none of its segments can be opened: " + why);
  }

  /** Opens what the cover did not need, where it has bytes that other segments have too. */
  private void compareOverlaps() throws StreamFailure, IOException {
    if (overlap.isEmpty()) {
      return;
    }
    for (StoredSegment segment : stream.segments()) {
      if (!excluded.contains(segment) && overlap.wants(stream.keyOf(segment), segment)) {
        compare(segment);
      }
    }
  }

  private void compare(StoredSegment segment) throws StreamFailure, IOException {
    try {
      overlap.compare(run.source, stream, segment);
    } catch (NoSuchObjectException e) {
      // It was merged into a longer one meanwhile, and nothing of it is in the file.
      excluded.add(segment);
    } catch (ArchiveException e) {
      damages.add(Damage.of(e));
    } catch (DestinationException e) {
      throw StreamFailure.unreadable(e);
    }
  }

  private List<Piece> cover(ByteRange range) {
    return Cover.of(stream, range, excluded);
  }

  /** Places pieces until nothing more can be had. */
  private void fill(PartialFile file, List<Piece> pieces)
      throws StreamFailure, IOException, InterruptedException {
    if (file.reused()) {
      clearBetween(file, pieces);
    }
    List<Piece> wanted = file.reused() ? withoutThoseThere(file, pieces) : pieces;
    boolean clearFirst = file.reused();
    while (!wanted.isEmpty()) {
      List<PieceResult.Lost> lost = placeAll(file, wanted, clearFirst);
      if (lost.isEmpty()) {
        return;
      }
      boolean gone = lost.stream().anyMatch(PieceResult.Lost::gone);
      boolean listed = gone && listings < SegmentSource.MAX_LISTINGS;
      if (listed) {
        listings++;
        stream = run.source.relisted(stream);
        stream.damages().stream().filter(one -> !damages.contains(one)).forEach(damages::add);
      }
      wanted = new ArrayList<>();
      for (PieceResult.Lost one : lost) {
        wanted.addAll(cover(one.piece().range()));
        if (!one.gone() || !listed) {
          damages.add(one.damage());
        }
      }
      clearFirst = true;
    }
  }

  /** The interrupted run may have read an archive that had more, or that of another moment. */
  private void clearBetween(PartialFile file, List<Piece> pieces) throws ErrnoException {
    RangeSet given = new RangeSet();
    pieces.forEach(piece -> given.add(piece.range()));
    for (ByteRange hole : given.missing(new ByteRange(0, stream.storedEndBytes()))) {
      file.clear(hole);
    }
  }

  /** Of an interrupted run's file, what has the right checksum stays. */
  private List<Piece> withoutThoseThere(PartialFile file, List<Piece> pieces) throws IOException {
    List<Piece> wanted = new ArrayList<>();
    ExistingFile compare = new ExistingFile(file.calls(), run.source);
    try (LocalBytes local = new LocalBytes(file.calls())) {
      for (Piece piece : pieces) {
        // The last piece is opened in any case: it knows mode and time.
        boolean last = piece.equals(pieces.getLast());
        if (!last && isThere(compare, local, file, piece)) {
          placements.placed().add(piece.range());
          run.progress.done(piece.range().lengthBytes());
        } else {
          wanted.add(piece);
        }
      }
    }
    return wanted;
  }

  private boolean isThere(ExistingFile compare, LocalBytes local, PartialFile file, Piece piece)
      throws IOException {
    try {
      return compare.matches(local, file.fd(), stream, piece.segment());
    } catch (NoSuchObjectException merged) {
      return false; // Whoever places it looks for another segment.
    }
  }

  private List<PieceResult.Lost> placeAll(PartialFile file, List<Piece> pieces, boolean clearFirst)
      throws StreamFailure, IOException, InterruptedException {
    if (pieces.size() == 1) {
      placements.add(run.placer.placeHere(stream, pieces.getFirst(), file, overlap, clearFirst));
    } else {
      placeTogether(file, pieces, clearFirst);
    }
    List<PieceResult.Lost> lost = placements.lost();
    for (PieceResult.Lost one : lost) {
      excluded.add(one.piece().segment());
    }
    return lost;
  }

  private void placeTogether(PartialFile file, List<Piece> pieces, boolean clearFirst)
      throws InterruptedException {
    Deque<Future<PieceResult>> running = new ArrayDeque<>();
    try {
      for (Piece piece : pieces) {
        running.add(run.placer.place(stream, piece, file, overlap, clearFirst));
        while (!running.isEmpty() && running.peek().isDone()) {
          placements.take(running.remove());
        }
        if (placements.failed()) {
          break;
        }
      }
    } finally {
      // The descriptor must stay open until the last of them is done.
      running.forEach(placements::take);
    }
  }

  private FileAttributes attributes(PartialFile partial) throws ErrnoException {
    Optional<FileAttributes> told = placements.attributes().newest();
    if (placements.attributes().isWithheld()) {
      run.tools.unvouched().incrementAndGet();
    }
    FileAttributes known =
        told.isPresent() ? told.get() : FileAttributes.ofFile(partial.calls(), partial.fd());
    return known.withExtended(run.tools.extended().of(stream));
  }

  /** Returns where the last byte ends that was written. */
  long placedEndBytes() {
    List<ByteRange> ranges = placements.placed().ranges();
    return ranges.isEmpty() ? 0 : ranges.getLast().endBytes();
  }

  TargetPath target() {
    return target;
  }

  /** Returns the file that was written. */
  Descriptor descriptor() {
    return file.orElseThrow().descriptor();
  }

  /** Returns the device number of the file system of the file that was written. */
  long device() {
    return directory.orElseThrow().device();
  }

  /**
   * Gives the file, which is durable, its name.
   *
   * @throws StreamFailure another file has the name
   * @throws IOException a call on the target failed
   */
  RestoredStream commit() throws StreamFailure, IOException {
    PartialFile partial = file.orElseThrow();
    try {
      if (existing.isPresent()) {
        taken.requireUnchanged(directory.orElseThrow().directory(), target.name(), existing.get());
      }
      partial.rename(target.name(), existing.isPresent());
    } catch (StreamFailure e) {
      partial.discard();
      throw e;
    } catch (ErrnoException e) {
      if (e.errno() == Errno.EEXIST && existing.isEmpty()) {
        partial.discard();
        throw TakenName.gotItMeanwhile();
      }
      throw e;
    }
    return report(RestoreResult.RESTORED);
  }

  /**
   * Removes the file, which cannot be made durable. A later run must not go on with it: what the
   * kernel could not write looks right as long as it is in memory, and the next fsync(2) succeeds.
   */
  void discard() throws IOException {
    file.orElseThrow().discard();
  }

  private RestoredStream report(RestoreResult result) {
    List<StoredGap> gaps = stream.openGaps();
    List<ByteRange> missing = stream.missingWhere(placements.placed());
    boolean complete = gaps.isEmpty() && missing.isEmpty() && stream.damages().isEmpty();
    List<Damage> contradictions = overlap.conflicts();
    List<Damage> refusals = stream.refusals();
    damages.addAll(contradictions);
    damages.addAll(refusals);
    boolean certain = contradictions.isEmpty() && refusals.isEmpty();
    return new RestoredStream(
        stream.agent(),
        stream.id(),
        stream.path(),
        Optional.of(target.relative()),
        complete ? (certain ? result : RestoreResult.DOUBTFUL) : RestoreResult.INCOMPLETE,
        placements.placed().totalBytes(),
        gaps,
        missing,
        damages,
        Optional.empty(),
        RestoredStream.Obstacle.NONE);
  }

  /** Closes the file, whether or not it has its name. */
  @Override
  public void close() throws ErrnoException {
    Optional<PartialFile> written = file;
    Optional<OpenDirectories.Lease> used = directory;
    file = Optional.empty();
    directory = Optional.empty();
    try {
      if (written.isPresent()) {
        written.get().close();
      }
    } finally {
      if (used.isPresent()) {
        used.get().close();
      }
    }
  }
}
