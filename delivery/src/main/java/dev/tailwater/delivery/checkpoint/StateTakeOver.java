package dev.tailwater.delivery.checkpoint;

import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.stream.Checkpoint;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.DamagedStoreException;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.WriteBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Takes over the checkpoints of agents that kept all of them in the transaction log, and makes sure
 * that notes and table of files belong together.
 *
 * <p>A crash at any step leaves a state from which the next start goes on: the table is complete
 * and durable before the log names it, and only then are the checkpoints removed from the log.
 */
final class StateTakeOver {
  /** In both stores: which table of files the notes are about. */
  static final byte[] TABLE_KEY = CheckpointStore.ascii("table");

  /** Where earlier agents kept checkpoints: {@code checkpoint/<destination>/<stream id>}. */
  private static final String CHECKPOINTS = "checkpoint/";

  private static final String BLOCKS = "blocks/";

  /**
   * A checkpoint of a version that earlier agents do not read, so that they refuse to start instead
   * of delivering everything again.
   */
  private static final byte[] REFUSED = {2};

  private static final String REFUSED_NAME = "in-table-of-files";
  private static final int AT_ONCE = 1_000;

  private final KeyValueStore notes;
  private final TableStore files;

  private StateTakeOver(KeyValueStore notes, TableStore files) {
    this.notes = notes;
    this.files = files;
  }

  /**
   * Takes over what is in the log, if the notes name no table yet; returns whether that was so.
   *
   * @throws DamagedStoreException when the notes are about another table than this one
   */
  static boolean run(KeyValueStore notes, TableStore files, PosixPath directory)
      throws IOException {
    StateTakeOver takeOver = new StateTakeOver(notes, files);
    Optional<byte[]> named = notes.get(TABLE_KEY);
    Optional<byte[]> there = files.read(table -> table.get(TABLE_KEY));
    if (named.isPresent()) {
      if (there.isEmpty() || !Arrays.equals(named.get(), there.get())) {
        throw new DamagedStoreException(
            directory, 0, "it is not the table of files that the notes are about");
      }
    } else {
      takeOver.copy();
      byte[] id = there.orElseGet(() -> CheckpointStore.ascii(UUID.randomUUID().toString()));
      files.apply(new WriteBatch().put(TABLE_KEY, id));
      notes.put(TABLE_KEY, id);
    }
    takeOver.clean();
    return named.isEmpty();
  }

  private void copy() throws IOException {
    Map<String, Map<String, Map<Integer, byte[]>>> blockSums = blockSums();
    Map<String, List<Checkpoint>> checkpoints = new HashMap<>();
    for (Map.Entry<String, byte[]> entry : entries(CHECKPOINTS).entrySet()) {
      String destination = entry.getKey().split("/", -1)[1];
      List<Checkpoint> some = checkpoints.computeIfAbsent(destination, _ -> new ArrayList<>());
      some.add(CheckpointCodec.decode(ByteBuffer.wrap(entry.getValue())));
      if (some.size() == AT_ONCE) {
        copy(destination, some, blockSums.getOrDefault(destination, Map.of()));
        some.clear();
      }
    }
    for (Map.Entry<String, List<Checkpoint>> rest : checkpoints.entrySet()) {
      copy(rest.getKey(), rest.getValue(), blockSums.getOrDefault(rest.getKey(), Map.of()));
    }
  }

  private void copy(
      String destination,
      List<Checkpoint> checkpoints,
      Map<String, Map<Integer, byte[]>> blockSumsByStream)
      throws IOException {
    Map<StreamId, Map<Integer, byte[]>> blockSums = new HashMap<>();
    for (Checkpoint checkpoint : checkpoints) {
      StreamId id = checkpoint.origin().id();
      blockSums.put(id, blockSumsByStream.getOrDefault(id.text(), Map.of()));
    }
    new FileTable(files, destination, Optional.empty()).change(checkpoints, blockSums, List.of());
  }

  /** Returns the checksums of blocks by destination, stream id and number of the chunk. */
  private Map<String, Map<String, Map<Integer, byte[]>>> blockSums() throws IOException {
    Map<String, Map<String, Map<Integer, byte[]>>> all = new HashMap<>();
    entries(BLOCKS)
        .forEach(
            (key, value) -> {
              String[] parts = key.split("/", -1);
              all.computeIfAbsent(parts[1], _ -> new HashMap<>())
                  .computeIfAbsent(parts[2], _ -> new HashMap<>())
                  .put(Integer.valueOf(parts[3]), value);
            });
    return all;
  }

  private Map<String, byte[]> entries(String prefix) throws IOException {
    Map<String, byte[]> entries = new HashMap<>();
    notes.forEach(
        CheckpointStore.ascii(prefix),
        (key, value) -> {
          String name = new String(key, StandardCharsets.US_ASCII);
          if (!name.endsWith("/" + REFUSED_NAME)) {
            entries.put(name, value);
          }
        });
    return entries;
  }

  /** Removes what was copied, perhaps by an earlier start that did not come to its end. */
  private void clean() throws IOException {
    WriteBatch batch = new WriteBatch();
    for (String prefix : List.of(CHECKPOINTS, BLOCKS)) {
      for (String name : entries(prefix).keySet()) {
        batch.remove(CheckpointStore.ascii(name));
        if (batch.size() == AT_ONCE) {
          notes.apply(batch);
          batch = new WriteBatch();
        }
      }
    }
    if (batch.size() > 0) {
      notes.apply(batch);
    }
  }

  /**
   * Adds what keeps earlier agents from starting for a destination whose files are in the table.
   */
  static WriteBatch refuseEarlierAgents(WriteBatch batch, String destination) {
    return batch.put(
        CheckpointStore.ascii(CHECKPOINTS + destination + "/" + REFUSED_NAME), REFUSED);
  }

  /** Returns the prefix of the checkpoints that an earlier agent left in the log. */
  static byte[] checkpointsInLog(String destination) {
    return CheckpointStore.ascii(CHECKPOINTS + destination + "/");
  }

  /** Returns whether a value in the log is a checkpoint that this agent reads. */
  static boolean isCheckpoint(byte[] value) {
    return !Arrays.equals(value, REFUSED);
  }
}
