package dev.tailwater.store.datafile.tool;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.DamagedStoreException;
import dev.tailwater.store.Entry;
import dev.tailwater.store.EntryReader;
import dev.tailwater.store.StoreInspector;
import dev.tailwater.store.StoreLockedException;
import dev.tailwater.store.StoreUnavailableException;
import dev.tailwater.store.common.Unwinding;
import dev.tailwater.store.datafile.DataFileOptions;
import dev.tailwater.store.datafile.file.DataFile;
import dev.tailwater.store.datafile.format.DataFileName;
import dev.tailwater.store.datafile.format.FileHeader;
import dev.tailwater.store.datafile.format.FileHeader.StoreIdentity;
import dev.tailwater.store.datafile.format.RecordHeader;
import dev.tailwater.store.datafile.format.RecordScanner;
import dev.tailwater.store.datafile.index.Index;
import dev.tailwater.store.datafile.index.KeyHash;
import dev.tailwater.store.datafile.index.Location;
import dev.tailwater.store.datafile.index.SipHash;
import dev.tailwater.store.datafile.read.FileRecordReader;
import dev.tailwater.store.datafile.read.KeyLookup;
import dev.tailwater.store.datafile.read.ReadBuffer;
import dev.tailwater.store.datafile.read.RecordFetcher;
import dev.tailwater.store.datafile.recovery.Recovered;
import dev.tailwater.store.datafile.recovery.Recovery;
import dev.tailwater.store.files.UnlockedStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An inspector of the directory of a data-file store that nobody has open. Changes nothing, and
 * does not keep the lock while it reads: when a process opens the store meanwhile, the method
 * throws {@link StoreLockedException} instead of returning a result.
 *
 * <p>Thread-safe. All methods throw {@link StoreUnavailableException} when the directory cannot be
 * read, and {@link DamagedStoreException} when what they need is damaged.
 *
 * <pre>{@code
 * Optional<Entry> entry = new DataFileTool(LinuxFileCalls.create(), directory).find(key);
 * }</pre>
 */
public final class DataFileTool implements StoreInspector {
  private final FileCalls calls;
  private final PosixPath path;

  /** Creates a tool for the store in this directory; each method reads it anew. */
  public DataFileTool(FileCalls calls, PosixPath directory) {
    this.calls = calls;
    this.path = directory;
  }

  /**
   * A summary of the directory.
   *
   * @param keys keys that have a value, expired ones too
   * @param files in order
   * @param lastVersion version of the newest write
   * @param indexBytes memory that the index takes
   * @param tornBytes length of the torn tail that the next open cuts off
   * @param sealed whether the last user closed the store; not so after a crash, or while it is new
   */
  public record Summary(
      long keys,
      List<FileSummary> files,
      long lastVersion,
      long indexBytes,
      long tornBytes,
      boolean sealed) {
    public Summary {
      files = List.copyOf(files);
    }
  }

  /**
   * One data file.
   *
   * @param records all of its records, without marks
   * @param liveBytes length of those that are the newest of their key, within 64 bytes for each
   */
  public record FileSummary(DataFileName name, long sizeBytes, long records, long liveBytes) {}

  /** Returns what the store would hold if it were opened now. */
  public Summary summary() throws IOException {
    return look(
        recovered -> {
          List<FileSummary> files = new ArrayList<>();
          for (DataFile file : recovered.files().inOrder()) {
            long sizeBytes = calls.fstat(file.fd()).sizeBytes();
            double share = file.units() == 0 ? 0 : (double) file.liveUnits() / file.units();
            long recordBytes = Math.max(0, sizeBytes - FileHeader.LENGTH_BYTES);
            files.add(
                new FileSummary(
                    file.header().name(),
                    sizeBytes,
                    file.records(),
                    Math.round(recordBytes * share)));
          }
          return new Summary(
              recovered.index().size(),
              files,
              recovered.last().lastSequence(),
              recovered.index().memoryBytes(),
              recovered.cutBytes(),
              recovered.last().sealed());
        });
  }

  /** Reads from one view of a store. */
  @FunctionalInterface
  public interface Inspection<T> {
    T inspect(StoreInspector view) throws IOException;
  }

  /**
   * Reads the index once and gives a view of the store, for many reads. The view is valid during
   * the call, and for one thread; what it gives counts only if this method returns.
   *
   * <p>Memory: the index, off the heap.
   */
  public <T> T inspect(Inspection<T> inspection) throws IOException {
    return look(
        recovered -> {
          try (View view = new View(recovered)) {
            return inspection.inspect(view);
          }
        });
  }

  @Override
  public Optional<Entry> find(byte[] key) throws IOException {
    return inspect(view -> view.find(key));
  }

  @Override
  public void forEach(byte[] keyPrefix, EntryReader action) throws IOException {
    inspect(
        view -> {
          view.forEach(keyPrefix, action);
          return true;
        });
  }

  private final class View implements StoreInspector, AutoCloseable {
    private final Recovered recovered;
    private final KeyLookup lookup;
    private final ReadBuffer buffer = new ReadBuffer();

    View(Recovered recovered) {
      this.recovered = recovered;
      this.lookup =
          new KeyLookup(
              recovered.index(),
              new RecordFetcher(recovered.files(), new FileRecordReader(calls)),
              hashing(recovered.identity()));
    }

    @Override
    public Optional<Entry> find(byte[] key) throws IOException {
      return lookup.find(key, buffer)
          ? Optional.of(buffer.bytes().data(0, buffer.header()).toEntry(buffer.header().sequence()))
          : Optional.empty();
    }

    @Override
    public void forEach(byte[] keyPrefix, EntryReader action) throws IOException {
      long sequence = 0;
      List<DataFile> files = recovered.files().inOrder();
      for (DataFile file : files) {
        RecordScanner.Extent extent = readEach(file, sequence, keyPrefix, action);
        // Recovery may have used a checkpoint or a hint, and not seen the end of this file.
        boolean isWhole =
            file.equals(files.getLast())
                ? extent.endBytes() >= recovered.last().endBytes()
                : extent.sealed() && extent.torn().isEmpty();
        if (!isWhole) {
          throw new DamagedStoreException(
              file.path(), extent.endBytes(), extent.torn().orElse("the file ends without a seal"));
        }
        sequence = extent.lastSequence();
      }
    }

    private RecordScanner.Extent readEach(
        DataFile file, long sequence, byte[] keyPrefix, EntryReader action) throws IOException {
      KeyHash hash = hashing(file.header().store());
      try (RecordScanner scanner =
          RecordScanner.over(calls, file.fd(), file.path(), file.header())) {
        return scanner.scan(
            FileHeader.LENGTH_BYTES,
            sequence,
            (header, bytes, from, offset) -> {
              boolean wanted =
                  !header.has(RecordHeader.MARK)
                      && !header.has(RecordHeader.REMOVE)
                      && bytes.keyStartsWith(from, header, keyPrefix);
              if (wanted
                  && isNewest(
                      recovered.index(),
                      hash.hash(bytes.key(from, header)),
                      Location.of(file.number(), offset, header.recordBytes()))) {
                action.entry(bytes.data(from, header).toEntry(header.sequence()));
              }
            });
      }
    }

    @Override
    public void close() {
      buffer.release();
    }
  }

  private static boolean isNewest(Index index, long hash, long location) {
    long found = index.find(hash);
    if (found != Index.SEVERAL) {
      return found == location;
    }
    long[] all = new long[8];
    int count = index.findAll(hash, all);
    if (count > all.length) {
      all = new long[count];
      count = index.findAll(hash, all);
    }
    for (int i = 0; i < count; i++) {
      if (all[i] == location) {
        return true;
      }
    }
    return false;
  }

  private static KeyHash hashing(StoreIdentity store) {
    return new SipHash(store.hashKey0(), store.hashKey1());
  }

  @FunctionalInterface
  private interface Looking<T> {
    T look(Recovered recovered) throws IOException;
  }

  private <T> T look(Looking<T> looking) throws IOException {
    return UnlockedStore.read(
        calls,
        path,
        directory -> {
          try (Unwinding unwinding = new Unwinding()) {
            Recovered recovered =
                Recovery.look(
                    directory, DataFileTool::hashing, DataFileOptions.defaults().mostFiles());
            unwinding.add(recovered.files());
            unwinding.add(recovered.index());
            unwinding.add(recovered.tagIndex());
            return looking.look(recovered);
          }
        });
  }
}
