package dev.tailwater.store.datafile;

import dev.tailwater.store.StoreFailedException;
import dev.tailwater.store.StoreStatistics;
import dev.tailwater.store.StoreStatistics.SnapshotStatistics;
import dev.tailwater.store.datafile.file.Background;
import dev.tailwater.store.datafile.file.DataFile;
import dev.tailwater.store.datafile.file.DataFileCreator;
import dev.tailwater.store.datafile.file.DataFiles;
import dev.tailwater.store.datafile.file.ExpiryFacts;
import dev.tailwater.store.datafile.file.HintLog;
import dev.tailwater.store.datafile.file.HintMaker;
import dev.tailwater.store.datafile.file.ZeroFill;
import dev.tailwater.store.datafile.format.IndexSnapshot;
import dev.tailwater.store.datafile.format.IndexSnapshot.CoveredFile;
import dev.tailwater.store.datafile.format.SegmentHeader.StoreIdentity;
import dev.tailwater.store.datafile.index.Index;
import dev.tailwater.store.datafile.index.IndexView;
import dev.tailwater.store.datafile.index.KeyHash;
import dev.tailwater.store.datafile.index.LabelIndex;
import dev.tailwater.store.datafile.index.LabelView;
import dev.tailwater.store.datafile.index.Location;
import dev.tailwater.store.datafile.read.DataSnapshot;
import dev.tailwater.store.datafile.read.DiskReads;
import dev.tailwater.store.datafile.read.KeyLookup;
import dev.tailwater.store.datafile.read.LabelSearch;
import dev.tailwater.store.datafile.read.ReadBufferPool;
import dev.tailwater.store.datafile.read.ReadOptions;
import dev.tailwater.store.datafile.read.ReadSources;
import dev.tailwater.store.datafile.read.ReaderGate;
import dev.tailwater.store.datafile.read.RecordFetcher;
import dev.tailwater.store.datafile.read.ResidencySweeper;
import dev.tailwater.store.datafile.read.Snapshots;
import dev.tailwater.store.datafile.read.StoreReader;
import dev.tailwater.store.datafile.read.ValueCache;
import dev.tailwater.store.datafile.recovery.Recovery;
import dev.tailwater.store.datafile.vacuum.FileVacuum;
import dev.tailwater.store.datafile.vacuum.Replacement;
import dev.tailwater.store.datafile.vacuum.Vacuum;
import dev.tailwater.store.datafile.vacuum.VacuumCounters;
import dev.tailwater.store.datafile.write.Committer;
import dev.tailwater.store.datafile.write.Publisher;
import dev.tailwater.store.datafile.write.RecordLog;
import dev.tailwater.store.datafile.write.Writer;
import dev.tailwater.store.files.StoreDirectory;
import dev.tailwater.store.files.Unwinding;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** What an open store is made of, put together at the opening and taken apart at the closing. */
public final class StoreParts implements AutoCloseable {
  private final StoreDirectory directory;
  private final StoreIdentity identity;
  private final RandomGenerator random;
  private final DataFiles files;
  private final Index index;
  private final LabelIndex labels;
  private final RecordLog log;
  private final Committer committer;
  private final Background background;
  private final Writer writer;
  private final @Nullable ResidencySweeper sweeper;
  private final DiskReads disk;
  private final StoreReader reader;
  private final KeyHash hash;
  private final KeyLookup lookup;
  private final Vacuum vacuum;
  private final long cutBytes;

  private StoreParts(
      StoreDirectory directory,
      DataFileOptions options,
      Recovery.Recovered recovered,
      KeyHash hash,
      ReaderGate gate,
      ReadBufferPool buffers) {
    this.directory = directory;
    this.identity = recovered.identity();
    this.random = options.random();
    this.files = recovered.files();
    this.index = recovered.index();
    this.labels = recovered.labels();
    this.cutBytes = recovered.cutBytes();
    ExpiryFacts.learn(labels, index, files);
    this.background = new Background(options.background());
    HintMaker hints = new HintMaker(directory, hash, random);
    this.log =
        new RecordLog(
            directory,
            files,
            new DataFileCreator(directory, identity, random),
            options.segmentBytes(),
            new ZeroFill(
                options.commits().zeroFillBytes(), options.commits().zeroFillAfterGroups()),
            recovered.lastSequence(),
            recovered.last().sealed(),
            new HintLog(
                directory, random, options.segmentBytes(), hints, background, this::wakeVacuum));
    this.committer =
        new Committer(
            directory.path(),
            directory.calls(),
            options.writeWithin().toNanos(),
            options.syncAboveBytes());
    long vacuumEveryUnits = options.segmentBytes() / (4 * Location.LENGTH_UNIT_BYTES);
    Publisher publisher = new Publisher(index, files, labels, vacuumEveryUnits, this::wakeVacuum);
    this.writer = new Writer(directory.path(), index, log, publisher, committer);
    ReadOptions reads = options.reads();
    this.sweeper = reads.mapped() ? new ResidencySweeper(directory.calls(), files, gate) : null;
    ValueCache cache = reads.cacheBytes() == 0 ? null : new ValueCache(reads.cacheBytes());
    this.disk = new DiskReads(directory.calls());
    this.reader =
        new StoreReader(
            directory.calls(),
            log.tail(),
            buffers,
            new ReadSources(reads.direct()),
            disk,
            sweeper,
            cache);
    this.hash = hash;
    this.lookup = new KeyLookup(index, new RecordFetcher(files, reader), hash);
    this.vacuum = vacuum(options, gate, hints);
    hints.makeSoon(recovered.withoutHint(), background);
  }

  private Vacuum vacuum(DataFileOptions options, ReaderGate gate, HintMaker hints) {
    VacuumCounters counters = new VacuumCounters();
    Replacement replacement = new Replacement(directory, files, writer, gate, reader::forget);
    FileVacuum work =
        new FileVacuum(
            directory,
            identity,
            random,
            index,
            labels,
            hash,
            writer,
            options.clock(),
            hints,
            background,
            replacement,
            counters);
    return new Vacuum(
        options.vacuum(), options.segmentBytes(), files, writer, background, counters, work);
  }

  private void wakeVacuum() {
    vacuum.wake();
  }

  static StoreParts open(
      StoreDirectory directory,
      DataFileOptions options,
      Function<StoreIdentity, KeyHash> hashing,
      ReaderGate gate,
      ReadBufferPool buffers)
      throws IOException {
    Recovery.Recovered recovered = Recovery.open(directory, hashing, options);
    StoreParts parts =
        new StoreParts(
            directory, options, recovered, hashing.apply(recovered.identity()), gate, buffers);
    parts.committer.start(parts.writer);
    parts.vacuum.wake();
    return parts;
  }

  /** What readers see now, for as long as it is held. With the append lock held. */
  public DataSnapshot snapshot(Snapshots home, long nowMillis) {
    DataFiles held = files.retained();
    IndexView view = index.view();
    KeyLookup inView = new KeyLookup(view, new RecordFetcher(held, reader), hash);
    long settled = writer.settledSequence();
    LabelSearch search = new LabelSearch(view, new LabelView(labels), inView, settled);
    return new DataSnapshot(home, view, search, held, inView, nowMillis);
  }

  LabelIndex labels() {
    return labels;
  }

  public Background background() {
    return background;
  }

  public Writer writer() {
    return writer;
  }

  public Committer committer() {
    return committer;
  }

  Vacuum vacuum() {
    return vacuum;
  }

  public Index index() {
    return index;
  }

  public KeyLookup lookup() {
    return lookup;
  }

  public StoreReader reader() {
    return reader;
  }

  StoreStatistics statistics(SnapshotStatistics snapshots) {
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
        reader.statistics(),
        snapshots,
        vacuum.statistics());
  }

  /** Nobody else may use any of it any more. */
  @Override
  public void close() throws IOException {
    if (sweeper != null) {
      sweeper.close();
    }
    try (Unwinding unwinding = new Unwinding()) {
      unwinding.add(index);
      unwinding.add(labels);
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
      background.run(this::keepIndex); // without it the next opening takes longer
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

  private void keepIndex() throws IOException {
    List<CoveredFile> covered = new ArrayList<>();
    for (DataFile file : files.inOrder()) {
      covered.add(
          new CoveredFile(
              file.header().name(),
              file.header().salt(),
              file.writtenBytes(),
              file.number(),
              file.records(),
              file.units(),
              file.liveUnits()));
    }
    IndexSnapshot.Coverage coverage = new IndexSnapshot.Coverage(log.lastSequence(), covered);
    IndexSnapshot.write(directory, identity, random.nextLong(), coverage, index, labels);
  }
}
