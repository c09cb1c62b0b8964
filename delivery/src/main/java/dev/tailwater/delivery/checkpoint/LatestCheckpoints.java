package dev.tailwater.delivery.checkpoint;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.log.StoreTool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The checkpoints that the latest run left, read without an agent and without changing anything.
 *
 * @param destinationUri where that run delivered to
 */
public record LatestCheckpoints(String destinationUri, List<Checkpoint> checkpoints) {

  /**
   * Reads a state directory; empty when no agent has used it yet.
   *
   * @throws IOException when there is no store, when it is damaged, or when an agent has it open
   */
  public static Optional<LatestCheckpoints> read(FileCalls calls, PosixPath stateDirectory)
      throws IOException {
    StoreTool store = new StoreTool(calls, stateDirectory);
    Optional<byte[]> latest = store.get(CheckpointStore.LATEST_KEY);
    if (latest.isEmpty()) {
      return Optional.empty();
    }
    String destination = new String(latest.get(), StandardCharsets.US_ASCII);
    String uri =
        store
            .get(CheckpointStore.destinationKey(destination))
            .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
            .orElse("");
    List<Checkpoint> checkpoints = new ArrayList<>();
    try {
      store.scan(
          CheckpointStore.ascii(CheckpointStore.prefix(destination)),
          (key, value) -> {
            try {
              checkpoints.add(CheckpointCodec.decode(value));
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return Optional.of(new LatestCheckpoints(uri, checkpoints));
  }
}
