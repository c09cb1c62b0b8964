package dev.tailwater.store.datafile.recovery;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.DamagedStoreException;
import dev.tailwater.store.common.Unwinding;
import dev.tailwater.store.datafile.file.DataFile;
import dev.tailwater.store.datafile.file.DataFileCreator;
import dev.tailwater.store.datafile.file.DataFiles;
import dev.tailwater.store.datafile.format.DataFileName;
import dev.tailwater.store.datafile.format.FileHeader;
import dev.tailwater.store.datafile.format.FileHeader.FileType;
import dev.tailwater.store.datafile.format.FileHeader.StoreIdentity;
import dev.tailwater.store.datafile.format.Hint;
import dev.tailwater.store.datafile.format.IndexCheckpoint;
import dev.tailwater.store.datafile.format.IndexCheckpoint.CoveredFile;
import dev.tailwater.store.datafile.format.RecordScanner;
import dev.tailwater.store.datafile.index.Index;
import dev.tailwater.store.datafile.index.KeyHash;
import dev.tailwater.store.datafile.index.TagIndex;
import dev.tailwater.store.files.StoreDirectory;
import dev.tailwater.store.files.TrailingZeros;
import dev.tailwater.store.files.Transfers;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The recovery of a store from its files. Fills the index from the index checkpoint of the last
 * close, as far as it goes, then from hints, then from the records. Changes nothing before
 * everything has been verified.
 */
public final class Recovery {
  /** The extent of a file without records. */
  private static final RecordScanner.Extent NOTHING =
      new RecordScanner.Extent(
          FileHeader.LENGTH_BYTES, 0, 0, FileHeader.LENGTH_BYTES, false, Optional.empty());

  private final StoreDirectory directory;
  private final Function<StoreIdentity, KeyHash> hashing;
  private final int maxFiles;
  private final List<OpenedFile> opened = new ArrayList<>();

  private boolean usedHintOfLast;

  /** A file that the checkpoint covers and that is missing after the last file. */
  private @Nullable DataFileName missing;

  private Recovery(
      StoreDirectory directory, Function<StoreIdentity, KeyHash> hashing, int maxFiles) {
    this.directory = directory;
    this.hashing = hashing;
    this.maxFiles = maxFiles;
  }

  /**
   * Reads what is there, and changes nothing; as of an empty store when there is no data file.
   *
   * @param hashing the hash of keys in the store with this identity
   * @param maxFiles as of {@link DataFiles}
   */
  public static Recovered look(
      StoreDirectory directory, Function<StoreIdentity, KeyHash> hashing, int maxFiles)
      throws IOException {
    Recovery recovery = new Recovery(directory, hashing, maxFiles);
    DataFilePlan plan = DataFilePlan.of(directory);
    if (plan.files().isEmpty()) {
      recovery.checkNoneIsMissing(plan);
      StoreIdentity nobody = new StoreIdentity(0, 0, 0);
      return new Recovered(
          nobody, new DataFiles(maxFiles), new Index(), new TagIndex(), NOTHING, 0, 0, List.of());
    }
    try (Unwinding unwinding = new Unwinding()) {
      unwinding.add(recovery::closeAll);
      for (DataFileName name : plan.files()) {
        recovery.openFile(name, directory.openToRead(name.path()));
      }
      recovery.checkNoneIsMissing(plan);
      Recovered recovered = recovery.read(unwinding);
      recovery.opened.clear(); // they belong to the data files now
      unwinding.keepAll();
      return recovered;
    }
  }

  /**
   * Opens what is there, or makes an empty store.
   *
   * @param random makes the identity of a new store, and the salts of its files
   */
  public static Recovered open(
      StoreDirectory directory,
      Function<StoreIdentity, KeyHash> hashing,
      int maxFiles,
      RandomGenerator random)
      throws IOException {
    return new Recovery(directory, hashing, maxFiles).recover(random);
  }

  private Recovered recover(RandomGenerator random) throws IOException {
    DataFilePlan plan = DataFilePlan.of(directory);
    if (plan.files().isEmpty()) {
      checkNoneIsMissing(plan);
      return createEmpty(plan, random);
    }
    try (Unwinding unwinding = new Unwinding()) {
      unwinding.add(this::closeAll);
      for (DataFileName name : plan.files()) {
        openFile(name, directory.openToAppend(name.path()));
      }
      checkNoneIsMissing(plan);
      Recovered recovered = read(unwinding);
      opened.clear(); // they belong to the data files now
      unwinding.add(recovered.files());
      deleteLeftOver(plan);
      TailRepair.run(directory, recovered, usedHintOfLast);
      unwinding.keepAll();
      return recovered;
    }
  }

  private Recovered createEmpty(DataFilePlan plan, RandomGenerator random) throws IOException {
    deleteLeftOver(plan);
    StoreIdentity identity =
        new StoreIdentity(random.nextLong(), random.nextLong(), random.nextLong());
    DataFiles files = new DataFiles(maxFiles);
    DataFileCreator creator = new DataFileCreator(directory, identity, random);
    creator.create(new DataFileName(1, 1, 0)).publish(files);
    return new Recovered(identity, files, new Index(), new TagIndex(), NOTHING, 0, 0, List.of());
  }

  /**
   * Checks for hints without a data file: a hint is written after its data file, and deleted with
   * it.
   */
  private void checkNoneIsMissing(DataFilePlan plan) throws IOException {
    for (DataFileName name : plan.hintsBehind()) {
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
    for (OpenedFile file : opened) {
      directory.calls().close(file.fd());
    }
  }

  private void openFile(DataFileName name, int fd) throws IOException {
    FileCalls calls = directory.calls();
    PosixPath path = directory.pathOf(name.path());
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(FileHeader.LENGTH_BYTES);
      if (Transfers.readFully(calls, fd, bytes, 0) < FileHeader.LENGTH_BYTES) {
        throw new DamagedStoreException(path, 0, "the file is shorter than its header");
      }
      FileHeader header =
          FileHeader.parse(bytes.toArray(ValueLayout.JAVA_BYTE), FileType.DATA, name, path);
      if (!opened.isEmpty() && !opened.getFirst().header().store().equals(header.store())) {
        throw new DamagedStoreException(path, 0, "the file belongs to another store");
      }
      opened.add(new OpenedFile(header, fd, calls.fstat(fd).sizeBytes()));
    } catch (IOException | RuntimeException | Error failed) {
      calls.close(fd);
      throw failed;
    }
  }

  private Recovered read(Unwinding unwinding) throws IOException {
    FileHeader any = opened.getFirst().header();
    InitialIndex beginning = InitialIndex.read(directory, any, this::isThere);
    Index index = unwinding.add(beginning.index());
    TagIndex tagIndex = unwinding.add(beginning.tagIndex());
    Optional<IndexCheckpoint.Coverage> snapshot = beginning.coverage();
    DataFileName notThere = missing;
    if (notThere != null) {
      throw new DamagedStoreException(
          directory.pathOf(notThere.path()),
          0,
          "the file is missing: the index has been made of it");
    }
    DataFiles files = new DataFiles(maxFiles);
    List<CoveredFile> covered = snapshot.map(IndexCheckpoint.Coverage::files).orElse(List.of());
    long coveredSequence = snapshot.map(IndexCheckpoint.Coverage::lastSequence).orElse(0L);
    for (int i = 0; i < opened.size(); i++) {
      add(opened.get(i), i < covered.size() ? covered.get(i) : null, coveredSequence, files);
    }
    FileReplay replay =
        new FileReplay(directory, hashing.apply(any.store()), index, tagIndex, files);
    long sequence = coveredSequence;
    int lastFile = opened.size() - 1;
    for (int i = Math.max(0, covered.size() - 1); i < lastFile; i++) {
      long from = i < covered.size() ? covered.get(i).coveredBytes() : FileHeader.LENGTH_BYTES;
      DataFile file = files.inOrder().get(i);
      sequence = replay.earlier(file, opened.get(i), from, sequence);
      file.endsWith(sequence);
    }
    long from =
        lastFile < covered.size() ? covered.get(lastFile).coveredBytes() : FileHeader.LENGTH_BYTES;
    DataFile last = files.inOrder().getLast();
    // An index is kept only of files that are sealed.
    Position known = new Position(from, sequence, lastFile < covered.size());
    RecordScanner.Extent extent = replay.last(last, opened.getLast(), known);
    usedHintOfLast = replay.usedHintOfLast();
    long end = extent.endBytes();
    long tailBytes = opened.getLast().sizeBytes() - end;
    long cutBytes = TrailingZeros.begin(directory.calls(), last.fd(), end, end + tailBytes) - end;
    return new Recovered(
        any.store(), files, index, tagIndex, extent, tailBytes, cutBytes, replay.withoutHint());
  }

  private void add(
      OpenedFile file, @Nullable CoveredFile covered, long lastSequence, DataFiles files) {
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

  /** Returns whether a checkpoint covers the first files, with their current lengths. */
  private boolean isThere(IndexCheckpoint.Coverage coverage) {
    int count = coverage.files().size();
    if (count > 0) {
      DataFileName newest = coverage.files().getLast().name();
      missing = newest.last() > opened.getLast().header().name().last() ? newest : null;
    }
    if (count == 0 || count > opened.size()) {
      return false;
    }
    for (int i = 0; i < count; i++) {
      CoveredFile covered = coverage.files().get(i);
      OpenedFile file = opened.get(i);
      boolean isWhole =
          i < count - 1
              ? covered.coveredBytes() == file.sizeBytes()
              : covered.coveredBytes() <= file.sizeBytes();
      if (!covered.name().equals(file.header().name())
          || covered.salt() != file.header().salt()
          || covered.coveredBytes() < FileHeader.LENGTH_BYTES
          || !isWhole) {
        return false;
      }
    }
    return true;
  }

  private void deleteLeftOver(DataFilePlan plan) throws ErrnoException {
    directory.sync();
    for (PosixPath name : plan.leftOver()) {
      directory.delete(name);
    }
  }
}
