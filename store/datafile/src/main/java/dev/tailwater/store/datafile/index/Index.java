package dev.tailwater.store.datafile.index;

import org.jspecify.annotations.Nullable;

/**
 * The index of a store: hashes of keys and the locations of their records, outside the Java heap.
 * An entry takes 16 bytes in tables that are at least 7/9 full once they are large, so less than 21
 * bytes.
 *
 * <p>Hash and location together identify an entry; two keys with the same hash are two entries.
 * Thread-safe. Readers never wait for writers; writers of one partition wait for each other.
 *
 * <pre>{@code
 * long location = index.find(hash);
 * if (index.replace(hash, location, newLocation)) { ... }
 * }</pre>
 */
public final class Index implements Locations, AutoCloseable {
  /** Number of partitions; the highest 8 bits of a hash are its partition. */
  public static final int PARTITIONS = Partitions.COUNT;

  /** Stands for a location when more than one entry has the hash. */
  public static final long SEVERAL = Location.SEVERAL;

  private final PageMemory memory = new PageMemory();
  private final ViewNumbers views = new ViewNumbers();
  private final Partition[] partitions = new Partition[PARTITIONS];

  /** Creates an empty index, which takes no memory until something is added. */
  public Index() {
    for (int i = 0; i < PARTITIONS; i++) {
      partitions[i] = new Partition(memory, views);
    }
  }

  private Partition partition(long hash) {
    return partitions[partitionOf(hash)];
  }

  PageMemory memory() {
    return memory;
  }

  Partition partition(int number) {
    return partitions[number];
  }

  /** Returns the partition of this hash. */
  public static int partitionOf(long hash) {
    return Partitions.of(hash);
  }

  /** The lowest hash of a partition. */
  public static long firstHash(int partition) {
    return Partitions.firstHash(partition);
  }

  /**
   * Returns a view of the index as it is now. Costs 256 additions, whatever the size; later, the
   * first change of each partition copies its table. Nobody may change the index during the call.
   */
  public IndexView view() {
    return new IndexView(partitions, views, size());
  }

  @Override
  public long find(long hash) {
    return partition(hash).find(hash);
  }

  @Override
  public int findAll(long hash, long[] locations) {
    return partition(hash).findAll(hash, locations);
  }

  /** Adds an entry, whether or not there is one with this hash. */
  public void add(long hash, long location) {
    partition(hash).add(hash, location);
  }

  /** Fills in the locations of these hashes, each as of {@link #find}. */
  public void findEach(HashBatch batch) {
    batch.sort();
    int from = 0;
    for (int i = 0; i < PARTITIONS; i++) {
      partition(i).prefetch(batch, from, batch.end(i));
      from = batch.end(i);
    }
    from = 0;
    for (int i = 0; i < PARTITIONS; i++) {
      partition(i).findEach(batch, from, batch.end(i));
      from = batch.end(i);
    }
  }

  /** Adds entries, whether or not there are some with their hashes. */
  public void addEach(HashBatch batch) {
    batch.sort();
    int from = 0;
    for (int i = 0; i < PARTITIONS; i++) {
      partition(i).addEach(batch, from, batch.end(i));
      from = batch.end(i);
    }
  }

  /** Adds an entry if there is none with this hash; returns whether it did. */
  public boolean addIfAbsent(long hash, long location) {
    return partition(hash).addIfAbsent(hash, location);
  }

  /** Moves an entry to another location; returns false when there is no such entry. */
  public boolean replace(long hash, long from, long to) {
    return partition(hash).replace(hash, from, to);
  }

  /** Removes an entry; returns false when there is no such entry. */
  public boolean remove(long hash, long location) {
    return partition(hash).remove(hash, location);
  }

  /** Number of entries. */
  public long size() {
    long size = 0;
    for (Partition partition : partitions) {
      size += partition.count();
    }
    return size;
  }

  /** Number of entries of one partition, from 0. */
  public int size(int partition) {
    return partitions[partition].count();
  }

  /** Returns the bytes of native memory in use; the rest is kept for growth. */
  public long usedBytes() {
    return memory.usedBytes();
  }

  /** Bytes of native memory. */
  public long memoryBytes() {
    return memory.sizeBytes();
  }

  /** Visits the entries of one partition by ascending unsigned hash; its writers wait meanwhile. */
  public <E extends Exception> void forEach(int partition, EntryVisitor<E> action) throws E {
    partitions[partition].forEach(action);
  }

  /**
   * Returns a filling for empty partitions. Nothing else may use a partition before {@link
   * Filling#finish()}.
   */
  public Filling filling() {
    return new Filling(this);
  }

  /** A filling of partitions, one after the other, each by ascending hash. */
  public static final class Filling {
    private final Index index;
    private int partition;
    private @Nullable TableWriter writer;
    private long last;

    private Filling(Index index) {
      this.index = index;
    }

    /**
     * Begins a partition.
     *
     * @param entries about how many there will be
     */
    public void begin(int number, int entries) {
      partition = number;
      last = firstHash(number);
      writer = new TableWriter(index.memory, entries, Partitions.BITS);
    }

    /** Adds an entry; returns false when it does not belong here, or the hashes do not ascend. */
    public boolean add(long hash, long location) {
      boolean fits =
          partitionOf(hash) == partition
              && Long.compareUnsigned(last, hash) <= 0
              && Location.file(location) != 0;
      if (fits) {
        begun().addLast(hash, location);
        last = hash;
      }
      return fits;
    }

    private TableWriter begun() {
      TableWriter of = writer;
      if (of == null) {
        throw new IllegalStateException("no partition was begun");
      }
      return of;
    }

    /** Makes the entries visible. */
    public void finish() {
      index.partition(partition).take(begun().finish(), begun().count());
      writer = null;
    }
  }

  /** Frees the memory. Nobody may use the index any more. */
  @Override
  public void close() {
    for (Partition partition : partitions) {
      partition.close(); // so that a mistake does not crash the JVM
    }
    memory.close();
  }
}
