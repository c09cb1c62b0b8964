package dev.tailwater.store.datafile;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.StoreFailedException;
import dev.tailwater.store.StoreStatistics;
import dev.tailwater.store.common.Unwinding;
import dev.tailwater.store.datafile.file.Background;
import dev.tailwater.store.datafile.file.DataFile;
import dev.tailwater.store.datafile.file.DataFileCreator;
import dev.tailwater.store.datafile.file.DataFiles;
import dev.tailwater.store.datafile.file.ExpiryScan;
import dev.tailwater.store.datafile.file.HintLog;
import dev.tailwater.store.datafile.file.HintMaker;
import dev.tailwater.store.datafile.file.ZeroFill;
import dev.tailwater.store.datafile.format.FileHeader.StoreIdentity;
import dev.tailwater.store.datafile.format.IndexCheckpoint;
import dev.tailwater.store.datafile.format.IndexCheckpoint.CoveredFile;
import dev.tailwater.store.datafile.index.Index;
import dev.tailwater.store.datafile.index.IndexView;
import dev.tailwater.store.datafile.index.KeyHash;
import dev.tailwater.store.datafile.index.Location;
import dev.tailwater.store.datafile.index.TagIndex;
import dev.tailwater.store.datafile.index.TagView;
import dev.tailwater.store.datafile.read.DataSnapshot;
import dev.tailwater.store.datafile.read.DiskReads;
import dev.tailwater.store.datafile.read.KeyLookup;
import dev.tailwater.store.datafile.read.ReadAccess;
import dev.tailwater.store.datafile.read.ReadBufferPool;
import dev.tailwater.store.datafile.read.ReadOptions;
import dev.tailwater.store.datafile.read.ReadSide;
import dev.tailwater.store.datafile.read.ReadSources;
import dev.tailwater.store.datafile.read.ReaderGate;
import dev.tailwater.store.datafile.read.RecordFetcher;
import dev.tailwater.store.datafile.read.ResidencySweeper;
import dev.tailwater.store.datafile.read.Snapshots;
import dev.tailwater.store.datafile.read.StoreReader;
import dev.tailwater.store.datafile.read.TagSearch;
import dev.tailwater.store.datafile.read.ValueCache;
import dev.tailwater.store.datafile.recovery.Recovered;
import dev.tailwater.store.datafile.recovery.Recovery;
import dev.tailwater.store.datafile.vacuum.FileVacuum;
import dev.tailwater.store.datafile.vacuum.LiveRecords;
import dev.tailwater.store.datafile.vacuum.Replacement;
import dev.tailwater.store.datafile.vacuum.Vacuum;
import dev.tailwater.store.datafile.vacuum.VacuumCounters;
import dev.tailwater.store.datafile.write.Committer;
import dev.tailwater.store.datafile.write.Publisher;
import dev.tailwater.store.datafile.write.RecordLog;
import dev.tailwater.store.datafile.write.WriteExecutor;
import dev.tailwater.store.datafile.write.WriteSide;
import dev.tailwater.store.datafile.write.Writer;
import dev.tailwater.store.files.StoreDirectory;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The assembly of an open store: puts its parts together at the opening, and closes them in order.
 */
final class StoreAssembly implements AutoCloseable {
  private final StoreDirectory directory;
  private final StoreIdentity identity;
  private final RandomGenerator random;
  private final DataFiles files;
  private final Index index;
  private final TagIndex tagIndex;
  private final KeyHash hash;
  private final long cutBytes;
  private final Background background;
  private final RecordLog log;
  private final Committer committer;
  private final Writer writer;
  private final @Nullable ResidencySweeper sweeper;
  private final DiskReads disk;
  private final ReadAccess access;
  private final Snapshots snapshots;
  private final ReadSide reads;
  private final WriteSide writes;
  private final ExpirySweep expirySweep;
  private final Vacuum vacuum;

  /** Opens the store in this directory, or makes an empty one. */
  static StoreAssembly open(
      StoreDirectory directory, DataFileOptions options, Function<StoreIdentity, KeyHash> hashing)
      throws IOException {
    Recovered recovered = Recovery.open(directory, hashing, options.mostFiles(), options.random());
    StoreAssembly assembly =
        new StoreAssembly(directory, options, recovered, hashing.apply(recovered.identity()));
    assembly.committer.start(assembly.writer);
    assembly.vacuum.wake();
    return assembly;
  }

  private StoreAssembly(
      StoreDirectory directory, DataFileOptions options, Recovered recovered, KeyHash hash) {
    this.directory = directory;
    this.identity = recovered.identity();
    this.random = options.random();
    this.files = recovered.files();
    this.index = recovered.index();
    this.tagIndex = recovered.tagIndex();
    this.hash = hash;
    this.cutBytes = recovered.cutBytes();
    ExpiryScan.run(tagIndex, index, files);

    this.background = new Background(options.background());
    HintMaker hints = new HintMaker(directory, hash, random, background);
    DataFileCreator creator = new DataFileCreator(directory, identity, random);
    this.log = log(options, creator, hints, recovered);
    this.committer =
        new Committer(
            directory.path(),
            directory.calls(),
            TimeUnit.NANOSECONDS.convert(options.writeWithin()), // as much as fits
            options.syncAboveBytes());
    long vacuumEveryUnits = options.fileBytes() / (4 * Location.LENGTH_UNIT_BYTES);
    Publisher publisher = new Publisher(index, files, tagIndex, vacuumEveryUnits, this::wakeVacuum);
    this.writer = new Writer(directory.path(), index, log, publisher, committer);

    ReaderGate gate = new ReaderGate("store " + directory.path());
    ReadBufferPool buffers = new ReadBufferPool();
    ReadOptions reading = options.reads();
    this.sweeper = reading.mapped() ? new ResidencySweeper(directory.calls(), files, gate) : null;
    this.disk = new DiskReads(directory.calls());
    StoreReader reader = reader(reading, buffers);
    KeyLookup lookup = new KeyLookup(index, new RecordFetcher(files, reader), hash);
    this.access = new ReadAccess(lookup, reader, gate, buffers);

    InstantSource clock = options.clock();
    this.reads = new ReadSide(access, clock);
    WriteExecutor executor = new WriteExecutor(directory.path(), access, index, writer, committer);
    this.writes = new WriteSide(executor, options.durability(), clock);
    // What is visible changes only under the append lock, so a snapshot is of one moment.
    this.snapshots =
        new Snapshots(
            (home, nowMillis) -> writer.withAppendLock(() -> capture(home, nowMillis)),
            access,
            clock,
            background::failed);
    this.expirySweep = new ExpirySweep(tagIndex, background, snapshots, writes, clock);
    this.vacuum = vacuum(options, creator, hints);
    hints.makeSoon(recovered.withoutHint());
  }

  private RecordLog log(
      DataFileOptions options, DataFileCreator creator, HintMaker hints, Recovered recovered) {
    ZeroFill zeroFill =
        new ZeroFill(options.commits().zeroFillBytes(), options.commits().zeroFillAfterGroups());
    HintLog hintLog =
        new HintLog(directory, random, options.fileBytes(), hints, background, this::wakeVacuum);
    return new RecordLog(
        files,
        creator,
        options.fileBytes(),
        zeroFill,
        hintLog,
        recovered.lastSequence(),
        recovered.last().sealed());
  }

  private StoreReader reader(ReadOptions options, ReadBufferPool buffers) {
    ValueCache cache = options.cacheBytes() == 0 ? null : new ValueCache(options.cacheBytes());
    ReadSources sources = new ReadSources(options.direct());
    return new StoreReader(directory.calls(), log.tail(), buffers, sources, disk, sweeper, cache);
  }

  private Vacuum vacuum(DataFileOptions options, DataFileCreator creator, HintMaker hints) {
    VacuumCounters counters = new VacuumCounters();
    Replacement replacement =
        new Replacement(directory, files, writer, access.gate(), access.reader()::forget);
    LiveRecords live = new LiveRecords(index, tagIndex, hash);
    FileVacuum work =
        new FileVacuum(creator, live, writer, options.clock(), hints, replacement, counters);
    return new Vacuum(
        options.vacuum(), options.fileBytes(), files, writer, background, counters, work);
  }

  private void wakeVacuum() {
    vacuum.wake();
  }

  /** Returns what readers see now, for as long as it is held. With the append lock held. */
  private DataSnapshot capture(Snapshots home, long nowMillis) {
    DataFiles held = files.retained();
    IndexView view = index.view();
    KeyLookup inView = new KeyLookup(view, new RecordFetcher(held, access.reader()), hash);
    long settled = writer.settledSequence();
    TagSearch search = new TagSearch(view, new TagView(tagIndex), inView, settled);
    return new DataSnapshot(home, view, search, held, inView, nowMillis);
  }

  /** Returns the path of a data file that somebody else has removed. */
  Optional<PosixPath> removedFile() throws ErrnoException {
    for (DataFile file : files.inOrder()) {
      // The vacuum takes a file out of the order before it deletes it.
      if (!directory.has(file.path().fileName()) && files.inOrder().contains(file)) {
        return Optional.of(file.path());
      }
    }
    return Optional.empty();
  }

  ReaderGate gate() {
    return access.gate();
  }

  ReadSide reads() {
    return reads;
  }

  WriteSide writes() {
    return writes;
  }

  Snapshots snapshots() {
    return snapshots;
  }

  ExpirySweep expirySweep() {
    return expirySweep;
  }

  Vacuum vacuum() {
    return vacuum;
  }

  TagIndex tagIndex() {
    return tagIndex;
  }

  long hash(byte[] key) {
    return hash.hash(key);
  }

  StoreStatistics statistics() {
    long units = 0;
    long liveUnits = 0;
    long bytes = 0;
    for (DataFile file : files.inOrder()) {
      units += file.units();
      liveUnits += file.liveUnits();
      bytes += file.writtenBytes();
    }
    long liveBytes = units == 0 ? 0 : (long) ((double) bytes * liveUnits / units);
    return new StoreStatistics(
        index.size(),
        liveBytes,
        bytes,
        0,
        writer.writes(),
        committer.syncs(),
        0,
        background.failures(),
        background.lastFailure(),
        cutBytes,
        access.reader().statistics(),
        snapshots.statistics(),
        vacuum.statistics());
  }

  /** Closes everything; the gate must be closed, and nobody else may use any of it any more. */
  @Override
  public void close() throws IOException {
    if (sweeper != null) {
      sweeper.close();
    }
    try (Unwinding unwinding = new Unwinding()) {
      unwinding.add(index);
      unwinding.add(tagIndex);
      unwinding.add(files);
      unwinding.add(disk);
      unwinding.add(log);
      vacuum.close();
      committer.close();
      background.awaitIdle();
      @Nullable Throwable failure = committer.failure();
      if (failure == null) {
        failure = seal();
      }
      if (failure != null) {
        throw new StoreFailedException(directory.path(), failure);
      }
      background.run(this::writeCheckpoint); // without it the next opening takes longer
      background.awaitIdle();
    }
  }

  private @Nullable Throwable seal() {
    try {
      writer.seal();
      return null;
    } catch (IOException failed) {
      return failed;
    }
  }

  private void writeCheckpoint() throws IOException {
    List<CoveredFile> covered = files.inOrder().stream().map(StoreAssembly::covered).toList();
    IndexCheckpoint.Coverage coverage = new IndexCheckpoint.Coverage(log.lastSequence(), covered);
    IndexCheckpoint.write(directory, identity, random.nextLong(), coverage, index, tagIndex);
  }

  private static CoveredFile covered(DataFile file) {
    return new CoveredFile(
        file.header().name(),
        file.header().salt(),
        file.writtenBytes(),
        file.number(),
        file.records(),
        file.units(),
        file.liveUnits());
  }
}
