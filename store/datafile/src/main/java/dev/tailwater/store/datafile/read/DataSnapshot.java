package dev.tailwater.store.datafile.read;

import dev.tailwater.store.Entry;
import dev.tailwater.store.Limits;
import dev.tailwater.store.StoreSnapshot;
import dev.tailwater.store.common.Lease;
import dev.tailwater.store.datafile.file.DataFiles;
import dev.tailwater.store.datafile.file.IndexTags;
import dev.tailwater.store.datafile.format.RecordBytes;
import dev.tailwater.store.datafile.format.RecordHeader;
import dev.tailwater.store.datafile.index.EntryBuffer;
import dev.tailwater.store.datafile.index.Index;
import dev.tailwater.store.datafile.index.IndexView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of a data-file store: a view of the index, and the files that were there when it was
 * taken. A call holds the snapshot until it returns, but the store only while it reads; so an
 * action may take long, and may even close the store.
 */
public final class DataSnapshot implements StoreSnapshot {
  private static final int ENTRIES_AT_ONCE = 4096;

  private final Home home;
  private final IndexView view;
  private final TagSearch search;
  private final DataFiles files;
  private final KeyLookup lookup;
  private final long takenAtMillis;
  private final Lease lease = new Lease();

  /** The open store that snapshots are of. */
  interface Home {
    /** Keeps the store from being closed while this reads. */
    <T> T reading(Reading<T> reading) throws IOException;

    /** Returns what to throw when the store is closed; null while it is open. */
    @Nullable RuntimeException whyClosed();

    /** Frees a snapshot that nobody uses any more. */
    void free(DataSnapshot snapshot);
  }

  /** Reads from memory and files that stay until the end of the call. */
  @FunctionalInterface
  interface Reading<T> {
    T read(ReadBuffer buffer) throws IOException;
  }

  /**
   * Takes over the view, the search and the held files.
   *
   * @param lookup in this view and these files
   */
  public DataSnapshot(
      Home home,
      IndexView view,
      TagSearch search,
      DataFiles files,
      KeyLookup lookup,
      long takenAtMillis) {
    this.home = home;
    this.view = view;
    this.search = search;
    this.files = files;
    this.lookup = lookup;
    this.takenAtMillis = takenAtMillis;
  }

  @Override
  public Optional<byte[]> get(byte[] key) throws IOException {
    return read(key, buffer -> buffer.bytes().value(0, buffer.header()));
  }

  @Override
  public Optional<Entry> find(byte[] key) throws IOException {
    return read(key, DataSnapshot::entry);
  }

  private static Entry entry(ReadBuffer buffer) {
    return entry(buffer, 0);
  }

  private static Entry entry(ReadBuffer buffer, int from) {
    return buffer.bytes().data(from, buffer.header()).toEntry(buffer.header().sequence());
  }

  private <T> Optional<T> read(byte[] key, Function<ReadBuffer, T> result) throws IOException {
    begin();
    try {
      return home.reading(
          buffer ->
              lookup.find(key, buffer) && !isExpired(buffer)
                  ? Optional.of(result.apply(buffer))
                  : Optional.empty());
    } finally {
      leave();
    }
  }

  private boolean isExpired(ReadBuffer buffer) {
    return isExpired(buffer, 0);
  }

  private boolean isExpired(ReadBuffer buffer, int from) {
    long expiresAtMillis = buffer.bytes().expiresAtMillis(from, buffer.header());
    return expiresAtMillis != 0 && expiresAtMillis <= takenAtMillis;
  }

  @Override
  public void forEach(byte[] keyPrefix, Consumer<Entry> action) throws IOException {
    byte[] prefix = keyPrefix.clone();
    forEach(
        partition -> true, (bytes, at, header) -> bytes.keyStartsWith(at, header, prefix), action);
  }

  /** A slot is a partition of the index. */
  @Override
  public void forEachInSlots(IntPredicate slots, Consumer<Entry> action) throws IOException {
    forEach(slots, (bytes, at, header) -> true, action);
  }

  @Override
  public void forEachWithTag(String tag, Consumer<Entry> action) throws IOException {
    Limits.checkTag(tag);
    String indexTag = IndexTags.ofUserTag(tag);
    begin();
    try {
      EntryBuffer pairs = new EntryBuffer(ENTRIES_AT_ONCE);
      long from = 0;
      do {
        long fromHash = from;
        for (TagSearch.Candidate candidate :
            home.reading(buffer -> search.candidates(indexTag, fromHash, pairs))) {
          Optional<Entry> found = home.reading(buffer -> tagged(indexTag, candidate, buffer));
          found.ifPresent(action);
        }
        from = pairs.nextHash();
      } while (!pairs.isAtEnd());
    } finally {
      leave();
    }
  }

  private Optional<Entry> tagged(String indexTag, TagSearch.Candidate candidate, ReadBuffer buffer)
      throws IOException {
    return search.find(indexTag, candidate, buffer) && !isExpired(buffer)
        ? Optional.of(entry(buffer))
        : Optional.empty();
  }

  /**
   * Returns some of the expired entries that have this index tag.
   *
   * @param pairs tells where to continue
   */
  public List<Entry> expired(String indexTag, long fromHash, EntryBuffer pairs) throws IOException {
    begin();
    try {
      List<Entry> expired = new ArrayList<>();
      for (TagSearch.Candidate candidate :
          home.reading(buffer -> search.candidates(indexTag, fromHash, pairs))) {
        Optional<Entry> found =
            home.reading(
                buffer ->
                    search.find(indexTag, candidate, buffer) && isExpired(buffer)
                        ? Optional.of(entry(buffer))
                        : Optional.empty());
        found.ifPresent(expired::add);
      }
      return expired;
    } finally {
      leave();
    }
  }

  /** Which records are passed on. */
  private interface Filter {
    /** Returns whether the record is wanted that begins at {@code from}. */
    boolean wants(RecordBytes bytes, int from, RecordHeader header);
  }

  private void forEach(IntPredicate partitions, Filter filter, Consumer<Entry> action)
      throws IOException {
    begin();
    try {
      LocationRuns runs = new LocationRuns();
      EntryBuffer entries = new EntryBuffer(ENTRIES_AT_ONCE);
      for (int partition = 0; partition < Index.PARTITIONS; partition++) {
        if (partitions.test(partition)) {
          forEachIn(partition, entries, runs, filter, action);
        }
      }
      passOn(runs, filter, action);
    } finally {
      leave();
    }
  }

  private void forEachIn(
      int partition, EntryBuffer entries, LocationRuns runs, Filter filter, Consumer<Entry> action)
      throws IOException {
    long from = Index.firstHash(partition);
    do {
      long fromHash = from;
      home.reading(
          _ -> {
            view.entries(partition, fromHash, entries);
            return entries;
          });
      runs.add(entries.size(), entries::location);
      if (runs.isFull()) {
        passOn(runs, filter, action);
      }
      from = entries.nextHash();
    } while (!entries.isAtEnd());
  }

  private void passOn(LocationRuns runs, Filter filter, Consumer<Entry> action) throws IOException {
    runs.sort();
    while (runs.next()) {
      for (Entry entry : home.reading(buffer -> entries(runs, filter, buffer))) {
        requireOpen(); // The action may have closed the store.
        action.accept(entry);
      }
    }
    runs.clear();
  }

  /** Returns the wanted records of a run. */
  private List<Entry> entries(LocationRuns run, Filter filter, ReadBuffer buffer)
      throws IOException {
    List<Entry> wanted = new ArrayList<>();
    int read = run.records() == 1 ? 0 : lookup.read(run, buffer);
    for (int i = 0; i < run.records(); i++) {
      int from = run.inRunBytes(i);
      if (!lookup.isWhole(run.location(i), from, read - from, buffer)) {
        lookup.fetchKept(run.location(i), buffer); // Or says what is wrong with it.
        from = 0;
        read = 0; // What was read of the others is gone.
      }
      if (!isExpired(buffer, from) && filter.wants(buffer.bytes(), from, buffer.header())) {
        wanted.add(entry(buffer, from));
      }
    }
    return wanted;
  }

  @Override
  public long size() {
    begin();
    try {
      return view.size();
    } finally {
      leave();
    }
  }

  @Override
  public long takenAtMillis() {
    return takenAtMillis;
  }

  private void begin() {
    if (!lease.begin()) {
      throw new IllegalStateException("the snapshot is closed");
    }
    boolean open = false;
    try {
      requireOpen();
      open = true;
    } finally {
      if (!open) {
        leave();
      }
    }
  }

  private void requireOpen() {
    @Nullable RuntimeException storeIsClosed = home.whyClosed();
    if (storeIsClosed != null) {
      throw storeIsClosed;
    }
  }

  private void leave() {
    if (lease.leave()) {
      home.free(this);
    }
  }

  @Override
  public void close() {
    if (lease.end()) {
      home.free(this);
    }
  }

  /** Frees memory and files, while the store is open. */
  void free() throws IOException {
    view.close();
    search.close();
    files.close();
  }

  /** Frees the files, when nobody reads any more and the index is about to be freed. */
  void freeFiles() throws IOException {
    files.close();
  }
}
