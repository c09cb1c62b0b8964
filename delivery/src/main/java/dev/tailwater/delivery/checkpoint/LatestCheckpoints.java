package dev.tailwater.delivery.checkpoint;

import dev.tailwater.delivery.stream.Checkpoint;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.datafile.tool.DataFileTool;
import dev.tailwater.store.log.StoreTool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The checkpoints that the latest run left for one of its destinations, read without an agent and
 * without changing anything.
 *
 * @param looked whether that run has seen every file that was there when it began
 */
public record LatestCheckpoints(
    String destinationUri, boolean required, boolean looked, List<Checkpoint> checkpoints) {

  /**
   * Reads a state directory, in the order of the destinations; empty when no agent has used it yet.
   *
   * @throws IOException when there is no store, when it is damaged, or when an agent has it open
   */
  public static List<LatestCheckpoints> read(FileCalls calls, PosixPath stateDirectory)
      throws IOException {
    StoreTool store = new StoreTool(calls, stateDirectory);
    Optional<byte[]> latest = store.get(LatestRun.KEY);
    List<LatestCheckpoints> all = new ArrayList<>();
    if (latest.isPresent()) {
      for (LatestRun.Hashed target : LatestRun.parse(latest.get())) {
        all.add(of(calls, stateDirectory, store, target));
      }
    }
    return all;
  }

  /**
   * Reads what a state directory knows about one destination; empty when no run has settled with it
   * what it holds.
   *
   * @throws IOException when there is no store, when it is damaged, or when an agent has it open
   */
  public static Optional<LatestCheckpoints> read(
      FileCalls calls, PosixPath stateDirectory, String destinationUri) throws IOException {
    StoreTool store = new StoreTool(calls, stateDirectory);
    String hash = CheckpointStore.shortHash(destinationUri);
    return store.get(CheckpointStore.settledKey(hash)).isPresent()
        ? Optional.of(of(calls, stateDirectory, store, new LatestRun.Hashed(hash, true)))
        : Optional.empty();
  }

  private static LatestCheckpoints of(
      FileCalls calls, PosixPath stateDirectory, StoreTool store, LatestRun.Hashed target)
      throws IOException {
    String uri =
        store
            .get(CheckpointStore.destinationKey(target.destination()))
            .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
            .orElse("");
    List<Checkpoint> checkpoints = new ArrayList<>();
    try {
      store.scan(
          StateTakeOver.checkpointsInLog(target.destination()),
          (_, value) -> {
            if (StateTakeOver.isCheckpoint(value)) {
              checkpoints.add(decoded(() -> CheckpointCodec.decode(ByteBuffer.wrap(value))));
            }
          });
      if (store.get(StateTakeOver.TABLE_KEY).isPresent()) {
        new DataFileTool(calls, stateDirectory.resolve(AgentState.FILES))
            .forEach(
                FileTable.prefix(target.destination()),
                row ->
                    checkpoints.addAll(decoded(() -> FileRow.decode(row.value()).checkpoints())));
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    boolean looked = store.get(CheckpointStore.lookingKey(target.destination())).isEmpty();
    return new LatestCheckpoints(uri, target.required(), looked, checkpoints);
  }

  private interface Decoding<T> {
    T run() throws IOException;
  }

  private static <T> T decoded(Decoding<T> decoding) {
    try {
      return decoding.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
