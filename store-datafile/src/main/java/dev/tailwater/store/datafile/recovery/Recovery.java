package dev.tailwater.store.datafile.recovery;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.DamagedStoreException;
import dev.tailwater.store.datafile.DataFileOptions;
import dev.tailwater.store.datafile.file.DataFile;
import dev.tailwater.store.datafile.file.DataFileCreator;
import dev.tailwater.store.datafile.file.DataFiles;
import dev.tailwater.store.datafile.file.Labels;
import dev.tailwater.store.datafile.format.Hint;
import dev.tailwater.store.datafile.format.IndexSnapshot;
import dev.tailwater.store.datafile.format.IndexSnapshot.CoveredFile;
import dev.tailwater.store.datafile.format.RecordHeader;
import dev.tailwater.store.datafile.format.SegmentHeader;
import dev.tailwater.store.datafile.format.SegmentHeader.FileType;
import dev.tailwater.store.datafile.format.SegmentHeader.StoreIdentity;
import dev.tailwater.store.datafile.format.SegmentName;
import dev.tailwater.store.datafile.format.SegmentScanner;
import dev.tailwater.store.datafile.index.Index;
import dev.tailwater.store.datafile.index.KeyHash;
import dev.tailwater.store.datafile.index.LabelIndex;
import dev.tailwater.store.datafile.index.Location;
import dev.tailwater.store.datafile.read.FileRecordReader;
import dev.tailwater.store.datafile.read.RecordFetcher;
import dev.tailwater.store.datafile.write.Publisher;
import dev.tailwater.store.files.StoreDirectory;
import dev.tailwater.store.files.Transfers;
import dev.tailwater.store.files.Unwinding;
import dev.tailwater.store.files.Zeros;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads the files of a store and fills the index: from the index snapshot of the last close, as far
 * as it goes, then from hints, then from the records themselves. Changes nothing before all of it
 * has been found in order.
 */
public final class Recovery {
  private static final int REWRITE_BYTES = 1024 * 1024;

  /** Of a file without records. */
  private static final SegmentScanner.Extent NOTHING =
      new SegmentScanner.Extent(
          SegmentHeader.LENGTH_BYTES, 0, 0, SegmentHeader.LENGTH_BYTES, false, Optional.empty());

  private final StoreDirectory directory;
  private final Function<StoreIdentity, KeyHash> hashing;
  private final DataFileOptions options;
  private final List<Opened> opened = new ArrayList<>();
  private final List<DataFile> withoutHint = new ArrayList<>();

  /** Whether the last file was read by its hint, as far as that goes. */
  private boolean hintOfLast;

  /** A file that the index has been made of, and that lies behind all that are there. */
  private @Nullable SegmentName missing;

  private Recovery(
      StoreDirectory directory, Function<StoreIdentity, KeyHash> hashing, DataFileOptions options) {
    this.directory = directory;
    this.hashing = hashing;
    this.options = options;
  }

  private record Opened(SegmentHeader header, int fd, long sizeBytes) {}

  /**
   * Up to where a file is known.
   *
   * @param sequence number of the last record before it
   * @param sealed whether a seal is the last thing before it
   */
  private record Position(long offsetBytes, long sequence, boolean sealed) {}

  /**
   * A store that was read.
   *
   * @param last what was found in the last file from where the index snapshot ends
   * @param tailBytes length of what lies behind the last record of the last file, and is cut
   * @param cutBytes of these, up to the last that is not zero: a file may be filled with zeros
   *     behind its end, and these are no loss
   * @param withoutHint sealed files that were read record by record
   */
  public record Recovered(
      StoreIdentity identity,
      DataFiles files,
      Index index,
      LabelIndex labels,
      SegmentScanner.Extent last,
      long tailBytes,
      long cutBytes,
      List<DataFile> withoutHint) {

    /**
     * The next record gets a higher number, also than those that were vacuumed. What was cut had
     * higher ones than what was found, and if a file system ever gives it back, it must not pass
     * for what is written there now.
     */
    public long lastSequence() {
      long most = tailBytes / RecordHeader.LENGTH_BYTES;
      long vacuumed = files.inOrder().stream().mapToLong(DataFile::cleanTo).max().orElse(0);
      return Math.max(vacuumed, last.lastSequence()) + (tailBytes == 0 ? 0 : most + 1);
    }
  }

  /** Reads what is there, and changes nothing; of an empty store when there is no data file. */
  public static Recovered look(
      StoreDirectory directory, Function<StoreIdentity, KeyHash> hashing, DataFileOptions options)
      throws IOException {
    Recovery recovery = new Recovery(directory, hashing, options);
    SegmentPlan plan = SegmentPlan.of(directory);
    if (plan.files().isEmpty()) {
      recovery.checkNoneIsMissing(plan);
      StoreIdentity nobody = new StoreIdentity(0, 0, 0);
      return new Recovered(
          nobody,
          new DataFiles(options.mostFiles()),
          new Index(),
          new LabelIndex(),
          NOTHING,
          0,
          0,
          List.of());
    }
    try (Unwinding unwinding = new Unwinding()) {
      unwinding.add(recovery::closeAll);
      for (SegmentName name : plan.files()) {
        recovery.openFile(name, directory.openToRead(name.path()));
      }
      recovery.checkNoneIsMissing(plan);
      Recovered recovered = recovery.read(unwinding);
      recovery.opened.clear(); // they belong to the data files now
      unwinding.keepAll();
      return recovered;
    }
  }

  /** Opens what is there, or makes an empty store. */
  public static Recovered open(
      StoreDirectory directory, Function<StoreIdentity, KeyHash> hashing, DataFileOptions options)
      throws IOException {
    return new Recovery(directory, hashing, options).recover();
  }

  private Recovered recover() throws IOException {
    SegmentPlan plan = SegmentPlan.of(directory);
    if (plan.files().isEmpty()) {
      checkNoneIsMissing(plan);
      return createEmpty(plan);
    }
    try (Unwinding unwinding = new Unwinding()) {
      unwinding.add(this::closeAll);
      for (SegmentName name : plan.files()) {
        openFile(name, directory.openToAppend(name.path()));
      }
      checkNoneIsMissing(plan);
      Recovered recovered = read(unwinding);
      opened.clear(); // they belong to the data files now
      unwinding.add(recovered.files());
      deleteLeftOver(plan);
      makeFit(recovered);
      unwinding.keepAll();
      return recovered;
    }
  }

  private Recovered createEmpty(SegmentPlan plan) throws IOException {
    deleteLeftOver(plan);
    StoreIdentity identity =
        new StoreIdentity(
            options.random().nextLong(), options.random().nextLong(), options.random().nextLong());
    DataFiles files = new DataFiles(options.mostFiles());
    DataFileCreator creator = new DataFileCreator(directory, identity, options.random());
    creator.create(new SegmentName(1, 1, 0)).publish(files);
    return new Recovered(identity, files, new Index(), new LabelIndex(), NOTHING, 0, 0, List.of());
  }

  /** A hint is made when its data file has its name, durably, and never outlives that. */
  private void checkNoneIsMissing(SegmentPlan plan) throws IOException {
    for (SegmentName name : plan.hintsBehind()) {
      Optional<StoreIdentity> ofHint = Hint.storeOf(directory, name);
      boolean isOurs =
          ofHint.isPresent()
              && (opened.isEmpty() || ofHint.get().equals(opened.getFirst().header().store()));
      if (isOurs) {
        throw new DamagedStoreException(
            directory.pathOf(name.path()), 0, "the file is missing: its hint is there");
      }
    }
  }

  private void closeAll() throws ErrnoException {
    for (Opened file : opened) {
      directory.calls().close(file.fd());
    }
  }

  private void openFile(SegmentName name, int fd) throws IOException {
    FileCalls calls = directory.calls();
    PosixPath path = directory.pathOf(name.path());
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(SegmentHeader.LENGTH_BYTES);
      if (Transfers.readFully(calls, fd, bytes, 0) < SegmentHeader.LENGTH_BYTES) {
        throw new DamagedStoreException(path, 0, "the file is shorter than its header");
      }
      SegmentHeader header =
          SegmentHeader.parse(bytes.toArray(ValueLayout.JAVA_BYTE), FileType.DATA, name, path);
      if (!opened.isEmpty() && !opened.getFirst().header().store().equals(header.store())) {
        throw new DamagedStoreException(path, 0, "the file belongs to another store");
      }
      opened.add(new Opened(header, fd, calls.fstat(fd).sizeBytes()));
    } catch (IOException | RuntimeException | Error failed) {
      calls.close(fd);
      throw failed;
    }
  }

  private Recovered read(Unwinding unwinding) throws IOException {
    SegmentHeader any = opened.getFirst().header();
    IndexBeginning beginning = IndexBeginning.read(directory, any, this::isThere);
    Index index = unwinding.add(beginning.index());
    LabelIndex labels = unwinding.add(beginning.labels());
    Optional<IndexSnapshot.Coverage> snapshot = beginning.coverage();
    SegmentName notThere = missing;
    if (notThere != null) {
      throw new DamagedStoreException(
          directory.pathOf(notThere.path()),
          0,
          "the file is missing: the index has been made of it");
    }
    DataFiles files = new DataFiles(options.mostFiles());
    List<CoveredFile> covered = snapshot.map(IndexSnapshot.Coverage::files).orElse(List.of());
    long coveredSequence = snapshot.map(IndexSnapshot.Coverage::lastSequence).orElse(0L);
    for (int i = 0; i < opened.size(); i++) {
      add(opened.get(i), i < covered.size() ? covered.get(i) : null, coveredSequence, files);
    }
    Replay replay = new Replay(index, labels, files, any.store());
    long sequence = coveredSequence;
    int lastFile = opened.size() - 1;
    for (int i = Math.max(0, covered.size() - 1); i < lastFile; i++) {
      long from = i < covered.size() ? covered.get(i).coveredBytes() : SegmentHeader.LENGTH_BYTES;
      DataFile file = files.inOrder().get(i);
      sequence = replay.earlier(file, opened.get(i), from, sequence);
      file.endsWith(sequence);
    }
    long from =
        lastFile < covered.size()
            ? covered.get(lastFile).coveredBytes()
            : SegmentHeader.LENGTH_BYTES;
    DataFile last = files.inOrder().getLast();
    // An index is kept only of files that are sealed.
    Position known = new Position(from, sequence, lastFile < covered.size());
    SegmentScanner.Extent extent = replay.last(last, opened.getLast(), known);
    long end = extent.endBytes();
    long tailBytes = opened.getLast().sizeBytes() - end;
    long cutBytes = Zeros.begin(directory.calls(), last.fd(), end, end + tailBytes) - end;
    return new Recovered(
        any.store(), files, index, labels, extent, tailBytes, cutBytes, withoutHint);
  }

  private void add(Opened file, @Nullable CoveredFile covered, long lastSequence, DataFiles files) {
    IntFunction<DataFile> making =
        number -> new DataFile(directory, file.header(), file.fd(), number, file.sizeBytes());
    if (covered == null) {
      files.addLast(making);
    } else {
      DataFile data = making.apply(covered.number());
      data.addedBefore(covered.records(), covered.units(), covered.liveUnits());
      data.endsWith(lastSequence);
      files.add(data);
    }
  }

  /** Whether a snapshot is of the first files that are there, in their present length. */
  private boolean isThere(IndexSnapshot.Coverage coverage) {
    int count = coverage.files().size();
    if (count > 0) {
      SegmentName newest = coverage.files().getLast().name();
      missing = newest.last() > opened.getLast().header().name().last() ? newest : null;
    }
    if (count == 0 || count > opened.size()) {
      return false;
    }
    for (int i = 0; i < count; i++) {
      CoveredFile covered = coverage.files().get(i);
      Opened file = opened.get(i);
      boolean isWhole =
          i < count - 1
              ? covered.coveredBytes() == file.sizeBytes()
              : covered.coveredBytes() <= file.sizeBytes();
      if (!covered.name().equals(file.header().name())
          || covered.salt() != file.header().salt()
          || covered.coveredBytes() < SegmentHeader.LENGTH_BYTES
          || !isWhole) {
        return false;
      }
    }
    return true;
  }

  /** Puts files into the index. */
  private final class Replay {
    private final IndexReplay records;
    private final KeyHash hash;

    Replay(Index index, LabelIndex labels, DataFiles files, StoreIdentity identity) {
      this.hash = hashing.apply(identity);
      RecordFetcher fetcher = new RecordFetcher(files, new FileRecordReader(directory.calls()));
      Publisher publisher = new Publisher(index, files, labels);
      this.records = new IndexReplay(index, labels, files, publisher, fetcher);
    }

    /** A file that is not the last: from its hint, else from its records. */
    long earlier(DataFile file, Opened from, long fromBytes, long lastSequence) throws IOException {
      if (fromBytes == from.sizeBytes()) {
        return lastSequence;
      }
      Position known = fromHint(file, from, new Position(fromBytes, lastSequence, false));
      if (known.sealed() && known.offsetBytes() == from.sizeBytes()) {
        return known.sequence();
      }
      withoutHint.add(file);
      SegmentScanner.Extent extent = scan(file, known);
      if (extent.torn().isPresent() || !extent.sealed()) {
        throw new DamagedStoreException(
            file.path(),
            extent.endBytes(),
            extent.torn().orElse("the file ends without a seal") + ", and it is not the last");
      }
      return extent.lastSequence();
    }

    SegmentScanner.Extent last(DataFile file, Opened from, Position before) throws IOException {
      Position known = fromHint(file, from, before);
      hintOfLast = !known.equals(before);
      SegmentScanner.Extent extent = scan(file, known);
      records.finish();
      return known.sealed() && extent.endBytes() == known.offsetBytes()
          ? extent.withSeal()
          : extent;
    }

    /** Up to where a file's hint spares reading it, if it is to be read from its beginning. */
    private Position fromHint(DataFile file, Opened from, Position before) throws IOException {
      if (before.offsetBytes() > SegmentHeader.LENGTH_BYTES) {
        return before;
      }
      Optional<Hint.Summary> hint =
          Hint.read(directory, file.header(), from.sizeBytes(), inFile(file));
      if (hint.isEmpty()) {
        return before;
      }
      Hint.Summary said = hint.get();
      file.addedBefore(said.records(), said.units(), 0);
      long sequence = Math.max(before.sequence(), said.lastSequence());
      return new Position(said.dataBytes(), sequence, said.sealed());
    }

    private Hint.Visitor inFile(DataFile file) {
      return new Hint.Visitor() {
        @Override
        public void record(long hashed, int flags, long unplaced) throws IOException {
          long location = Location.inFile(unplaced, file.number());
          countRemoval(flags, location, file);
          records.add(hashed, flags, location);
        }

        @Override
        public void labels(long hashed, long sequence, byte[] tags, long expiresAtMillis)
            throws IOException {
          for (String label : Labels.of(tags, expiresAtMillis)) {
            records.label(label, hashed, sequence);
          }
        }

        @Override
        public void label(String label, long hashed, long sequence) throws IOException {
          records.label(label, hashed, sequence);
        }
      };
    }

    private SegmentScanner.Extent scan(DataFile file, Position from) throws IOException {
      try (SegmentScanner scanner =
          SegmentScanner.over(directory.calls(), file.fd(), file.path(), file.header())) {
        SegmentScanner.Extent extent =
            scanner.scan(
                from.offsetBytes(),
                from.sequence(),
                (header, bytes, at, offset) -> {
                  if (header.has(RecordHeader.MARK)) {
                    file.addedMark();
                  } else {
                    long location = Location.of(file.number(), offset, header.recordBytes());
                    file.added(location);
                    long hashed = hash.hash(bytes.key(at, header));
                    countRemoval(header.flags(), location, file);
                    records.add(hashed, header.flags(), location);
                    for (String label : Labels.of(bytes, at, header)) {
                      records.label(label, hashed, header.sequence());
                    }
                  }
                });
        return extent;
      }
    }

    private static void countRemoval(int flags, long location, DataFile file) {
      if ((flags & RecordHeader.REMOVE) != 0) {
        file.addedRemoval(location);
      }
    }
  }

  private void deleteLeftOver(SegmentPlan plan) throws ErrnoException {
    directory.sync();
    for (PosixPath name : plan.leftOver()) {
      directory.delete(name);
    }
  }

  /**
   * Cuts what is torn, and writes once more what is not known to be durable: it may have been read
   * from the page cache after its fdatasync failed, and writing it makes its pages dirty, so that
   * the sync here is worth something.
   */
  private void makeFit(Recovered recovered) throws IOException {
    FileCalls calls = directory.calls();
    DataFile last = recovered.files().inOrder().getLast();
    SegmentScanner.Extent extent = recovered.last();
    boolean changed = false;
    if (recovered.tailBytes() > 0) {
      if (!hintOfLast) {
        // Were it found again later, it must not tell of what was cut.
        directory.delete(last.header().name().hintPath());
        directory.sync();
      }
      calls.truncate(last.fd(), extent.endBytes());
      changed = true;
    }
    last.wrote(extent.endBytes());
    if (extent.endBytes() > extent.durableBytes()) { // a seal, too, does not speak of itself
      rewrite(calls, last.fd(), extent.durableBytes(), extent.endBytes());
      changed = true;
    }
    if (changed) {
      calls.fsync(last.fd());
    }
    last.synced(extent.endBytes());
    for (DataFile file : recovered.files().inOrder()) {
      DataFileCreator.adviseRandom(calls, file.fd());
    }
  }

  private static void rewrite(FileCalls calls, int fd, long fromBytes, long endBytes)
      throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(REWRITE_BYTES);
      for (long at = fromBytes; at < endBytes; at += REWRITE_BYTES) {
        MemorySegment part = memory.asSlice(0, Math.min(REWRITE_BYTES, endBytes - at));
        int read = Transfers.readFully(calls, fd, part, at);
        Transfers.writeAll(calls, fd, part.asSlice(0, read), at);
      }
    }
  }
}
