package dev.tailwater.delivery.checkpoint;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.stream.Checkpoint;
import dev.tailwater.delivery.sums.BlockSums;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.store.Change;
import dev.tailwater.store.Entry;
import dev.tailwater.store.StoreSnapshot;
import dev.tailwater.store.WriteBatch;
import dev.tailwater.store.WriteOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The table of the files that one destination's lane knows, in the store: a row for each file, with
 * a checkpoint for each of its streams. Found by the identity of the file, so that nothing needs to
 * be in memory of a file that is quiet. Rows with a stream that has ended have a tag, so that a
 * start finds these without reading the others.
 *
 * <p>The key of a row is {@code file/<destination>/} and the identity in binary form; without the
 * file system where the rest is unique, since that may have another number after a restart. The
 * checksums of blocks of long files are beside it, under {@code blocks/<destination>/<stream
 * id>/<chunk>}, and how many runs have ended under {@code runs/<destination>}. Every method that
 * writes returns when the change is durable. Thread-safe.
 */
public final class FileTable {
  private static final byte[] FILES = CheckpointStore.ascii("file/");

  private final TableStore store;
  private final String destination;
  private final Optional<TableCheck.Found> found;
  private final byte[] prefix;
  private final String blocksPrefix;
  private final String endedTag;
  private final byte[] runsKey;

  /**
   * Creates the table of one destination.
   *
   * @param found what there was when the state was opened, if that is known
   */
  FileTable(TableStore store, String destination, Optional<TableCheck.Found> found) {
    this.store = store;
    this.found = found;
    this.destination = destination;
    this.prefix = prefix(destination);
    this.blocksPrefix = blocksPrefix(destination);
    this.endedTag = "ended/" + destination;
    this.runsKey = CheckpointStore.ascii("runs/" + destination);
  }

  static byte[] prefix(String destination) {
    return CheckpointStore.ascii("file/" + destination + "/");
  }

  /** Returns the key of a file's row. */
  static byte[] key(String destination, FileIdentity identity) {
    return key(prefix(destination), identity);
  }

  private static byte[] key(byte[] prefix, FileIdentity identity) {
    byte[] file = identity.anywhere().orElse(identity).toBytes();
    return ByteBuffer.allocate(prefix.length + file.length).put(prefix).put(file).array();
  }

  static String blocksPrefix(String destination) {
    return "blocks/" + destination + "/";
  }

  /** Returns whether a key of the store is one of a file. */
  static boolean isFile(byte[] key) {
    return startsWith(key, FILES);
  }

  /** Returns the destination that the key of a file is about. */
  static String destinationOf(byte[] key) {
    int end = FILES.length;
    while (end < key.length && key[end] != '/') {
      end++;
    }
    return new String(key, FILES.length, end - FILES.length, StandardCharsets.US_ASCII);
  }

  /** Returns the file that a key is about, without its file system; empty if that is not said. */
  static Optional<FileIdentity> identityOf(byte[] key, String destination) {
    try {
      int from = FILES.length + destination.length() + 1;
      return Optional.of(FileIdentity.fromBytes(Arrays.copyOfRange(key, from, key.length)));
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // Who looks for the file does not find this row.
    }
  }

  /**
   * Returns the identity that a file most likely has, if it had a row when the state was opened,
   * without asking for its generation: whoever uses it must compare all of the status.
   *
   * @param fileSystemId as in {@link FileIdentity}
   */
  public Optional<FileIdentity> likelyIdentity(FileStatus status, long fileSystemId) {
    OptionalLong birthTimeNanos = status.birthTimeNanos();
    OptionalLong generation =
        found.isPresent() && birthTimeNanos.isPresent()
            ? found.get().generations().find(status.inode(), birthTimeNanos.getAsLong())
            : OptionalLong.empty();
    return generation.isPresent()
        ? Optional.of(new FileIdentity(fileSystemId, status.inode(), generation, birthTimeNanos))
        : Optional.empty();
  }

  /** Notes that nobody asks for a {@link #likelyIdentity} any more. */
  public void forgetIdentities() {
    found.ifPresent(files -> files.generations().forget());
  }

  /** Returns how many files had a row when the state was opened, if that is known. */
  public OptionalLong filesAtOpening() {
    return found
        .map(files -> OptionalLong.of(files.countByDestination().getOrDefault(destination, 0L)))
        .orElse(OptionalLong.empty());
  }

  /**
   * Returns the checkpoints of a file, also of one that may be the same on another device, without
   * their checksums of blocks.
   */
  public List<Checkpoint> find(FileIdentity identity) throws IOException {
    Optional<byte[]> row = get(key(identity));
    return row.isPresent() ? checkpoints(row.get()) : List.of();
  }

  /** Does what {@link #find} does, with the checksums of blocks that are in the row itself. */
  public List<Checkpoint> findWithShortSums(FileIdentity identity) throws IOException {
    Optional<byte[]> found = get(key(identity));
    if (found.isEmpty()) {
      return List.of();
    }
    FileRow row = FileRow.decode(found.get());
    List<Checkpoint> checkpoints = new ArrayList<>();
    for (Checkpoint checkpoint : row.checkpoints()) {
      Optional<byte[]> sums =
          BlockSums.isShort(checkpoint.durable().bytes())
              ? row.blockSums(checkpoint.origin().id())
              : Optional.empty();
      checkpoints.add(sums.map(saved -> checkpoint.with(Map.of(0, saved))).orElse(checkpoint));
    }
    return checkpoints;
  }

  /** Returns a checkpoint that {@link #findWithShortSums} has found with all of its checksums. */
  public Checkpoint withLongSums(Checkpoint found) throws IOException {
    return BlockSums.isShort(found.durable().bytes()) ? found : withBlockSums(found);
  }

  private static List<Checkpoint> checkpoints(byte[] row) throws IOException {
    return FileRow.decode(row).checkpoints();
  }

  /** Returns the same checkpoint with the checksums of blocks that were saved beside it. */
  public Checkpoint withBlockSums(Checkpoint checkpoint) throws IOException {
    StreamId id = checkpoint.origin().id();
    long durableBytes = checkpoint.durable().bytes();
    Map<Integer, byte[]> chunks = new HashMap<>();
    if (BlockSums.isShort(durableBytes)) {
      Optional<byte[]> row = get(key(checkpoint.identity()));
      if (row.isPresent()) {
        FileRow.decode(row.get()).blockSums(id).ifPresent(saved -> chunks.put(0, saved));
      }
    } else {
      for (int chunk = 0; chunk < BlockSums.chunks(durableBytes); chunk++) {
        Optional<byte[]> saved = get(blocksKey(id, chunk));
        if (saved.isPresent()) {
          chunks.put(chunk, saved.get());
        }
      }
    }
    return checkpoint.with(chunks);
  }

  /** Returns the checkpoints of streams that have ended, without their checksums of blocks. */
  public List<Checkpoint> ended() throws IOException {
    List<Checkpoint> ended = new ArrayList<>();
    read(
        snapshot ->
            snapshot.forEachWithTag(
                endedTag,
                row ->
                    decode(row.value()).stream()
                        .filter(checkpoint -> checkpoint.ending().isPresent())
                        .forEach(ended::add)));
    return ended;
  }

  /** Passes every checkpoint to the action, without its checksums of blocks, in no order. */
  public void forEach(Consumer<Checkpoint> action) throws IOException {
    read(snapshot -> snapshot.forEach(prefix, row -> decode(row.value()).forEach(action)));
  }

  /** Returns the name of an agent under which bytes of some file are durable; empty if none are. */
  Optional<String> agentOfDurableBytes() throws IOException {
    List<String> first = new ArrayList<>(1); // One is enough: all others are not even decoded.
    read(
        snapshot -> {
          for (int slot = 0; slot < StoreSnapshot.SLOTS && first.isEmpty(); slot++) {
            snapshot.forEachInSlot(slot, row -> noteAgent(row, first));
          }
        });
    return first.stream().findFirst();
  }

  private void noteAgent(Entry row, List<String> first) {
    if (first.isEmpty() && startsWith(row.key(), prefix)) {
      decode(row.value()).stream()
          .filter(checkpoint -> checkpoint.durable().bytes() > 0)
          .findFirst()
          .ifPresent(checkpoint -> first.add(checkpoint.origin().agent()));
    }
  }

  /** Returns whether there is no row at all, of whatever destination, and no run has ended. */
  public boolean isEmpty() throws IOException {
    return store.read(
        open -> {
          try (StoreSnapshot snapshot = open.snapshot()) {
            boolean hasName = snapshot.get(StateTakeOver.TABLE_KEY).isPresent();
            return snapshot.size() == (hasName ? 1 : 0);
          }
        });
  }

  private interface Reading {
    void from(StoreSnapshot snapshot) throws IOException;
  }

  private void read(Reading reading) throws IOException {
    try {
      var _ =
          store.read(
              open -> {
                try (StoreSnapshot snapshot = open.snapshot()) {
                  reading.from(snapshot);
                  return true;
                }
              });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Returns how many runs the table has seen end; a table that lacks its last rows, fewer. */
  long endedRuns() throws IOException {
    return get(runsKey)
        .filter(value -> value.length == Long.BYTES)
        .map(value -> ByteBuffer.wrap(value).getLong())
        .orElse(0L);
  }

  /** Notes that a run ends, and that all its rows are written; returns how many have ended. */
  long endRun() throws IOException {
    long runs = endedRuns() + 1;
    byte[] value = ByteBuffer.allocate(Long.BYTES).putLong(runs).array();
    store.apply(new WriteBatch().put(runsKey, value));
    return runs;
  }

  private Optional<byte[]> get(byte[] key) throws IOException {
    return store.read(open -> open.get(key));
  }

  private static List<Checkpoint> decode(byte[] row) {
    try {
      return checkpoints(row);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A stream that is to be forgotten. */
  public record Forgotten(FileIdentity identity, StreamId id) {}

  /**
   * Saves checkpoints and removes those of other streams, atomically. Only one thread at a time may
   * do that for a destination.
   *
   * @param blockSums checksums of blocks, which are saved with the checkpoints of their streams
   */
  public void change(
      Collection<Checkpoint> checkpoints,
      Map<StreamId, Map<Integer, byte[]>> blockSums,
      Collection<Forgotten> forgotten)
      throws IOException {
    Map<ByteBuffer, FileRow> rows = LinkedHashMap.newLinkedHashMap(checkpoints.size());
    WriteBatch batch = new WriteBatch();
    for (Checkpoint checkpoint : checkpoints) {
      StreamId id = checkpoint.origin().id();
      byte[] inRow = {};
      for (Map.Entry<Integer, byte[]> chunk : blockSums.getOrDefault(id, Map.of()).entrySet()) {
        if (BlockSums.isShort(checkpoint.durable().bytes())) {
          inRow = chunk.getValue();
        } else {
          batch.put(blocksKey(id, chunk.getKey()), chunk.getValue());
        }
      }
      row(rows, checkpoint.identity()).put(checkpoint, inRow);
    }
    for (Forgotten stream : forgotten) {
      Optional<Checkpoint> before = row(rows, stream.identity()).remove(stream.id());
      if (before.isPresent() && !BlockSums.isShort(before.get().durable().bytes())) {
        int chunks = BlockSums.chunks(before.get().durable().bytes());
        for (int chunk = 0; chunk < chunks; chunk++) {
          batch.remove(blocksKey(stream.id(), chunk));
        }
      }
    }
    Fields scratch = new Fields();
    for (Map.Entry<ByteBuffer, FileRow> row : rows.entrySet()) {
      write(batch, row.getKey().array(), row.getValue(), scratch);
    }
    store.apply(batch);
  }

  /** Removes all rows of the destination, a slot of the store at a time. */
  void clear() throws IOException {
    for (int slot = 0; slot < StoreSnapshot.SLOTS; slot++) {
      WriteBatch batch = new WriteBatch();
      int of = slot;
      read(
          snapshot ->
              snapshot.forEachInSlot(
                  of,
                  row -> {
                    if (isOfDestination(row.key())) {
                      batch.remove(row.key());
                    }
                  }));
      store.apply(batch);
    }
  }

  private boolean isOfDestination(byte[] key) {
    return startsWith(key, prefix) || startsWith(key, CheckpointStore.ascii(blocksPrefix));
  }

  private static boolean startsWith(byte[] key, byte[] prefix) {
    return key.length > prefix.length
        && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
  }

  private FileRow row(Map<ByteBuffer, FileRow> rows, FileIdentity identity) throws IOException {
    ByteBuffer key = ByteBuffer.wrap(key(identity));
    FileRow row = rows.get(key);
    if (row == null) {
      Optional<byte[]> before = get(key.array());
      row = before.isPresent() ? FileRow.decode(before.get()) : new FileRow();
      rows.put(key, row);
    }
    return row;
  }

  private void write(WriteBatch batch, byte[] key, FileRow row, Fields scratch) throws IOException {
    if (row.isEmpty()) {
      batch.remove(key);
      return;
    }
    WriteOptions options = WriteOptions.defaults();
    batch.add(
        new Change(
            key,
            Optional.of(row.encode(scratch)),
            row.hasEnded() ? options.withTags(Set.of(endedTag)) : options));
  }

  private byte[] key(FileIdentity identity) {
    return key(prefix, identity);
  }

  private byte[] blocksKey(StreamId stream, int chunk) {
    return (blocksPrefix + stream.text() + "/" + chunk).getBytes(StandardCharsets.US_ASCII);
  }
}
