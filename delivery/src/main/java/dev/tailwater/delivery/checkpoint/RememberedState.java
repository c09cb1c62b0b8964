package dev.tailwater.delivery.checkpoint;

import dev.tailwater.delivery.stream.Checkpoint;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.StoreInspector;
import dev.tailwater.store.datafile.tool.DataFileTool;
import dev.tailwater.store.log.StoreTool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a state directory knows about destinations while no agent has it open. Changes nothing.
 * Thread-safe.
 *
 * <p>Memory: some twenty bytes for each file, off the heap, while it is read; and the checkpoints
 * that an agent without a table of files has left.
 */
public final class RememberedState {
  private final FileCalls calls;
  private final PosixPath directory;
  private final StoreTool notes;
  private final List<Target> targets;

  private RememberedState(
      FileCalls calls, PosixPath directory, StoreTool notes, List<Target> targets) {
    this.calls = calls;
    this.directory = directory;
    this.notes = notes;
    this.targets = List.copyOf(targets);
  }

  /**
   * A destination that is known.
   *
   * @param hash stands for it in the state
   * @param looked whether the run before has seen every file that was there when it began
   */
  public record Target(String hash, String uri, boolean required, boolean looked) {}

  /** Reads the files of the destinations. */
  @FunctionalInterface
  public interface Reading<T> {
    /**
     * Reads.
     *
     * @param files those of each destination, in the order of {@link RememberedState#targets};
     *     valid during the call
     */
    T read(List<RememberedFiles> files) throws IOException;
  }

  /**
   * Returns what the latest run left of each of its destinations, in their order; empty when no
   * agent has used the directory yet.
   *
   * @throws IOException when there is no store, when it is damaged, or when an agent has it open
   */
  public static Optional<RememberedState> ofLatestRun(FileCalls calls, PosixPath stateDirectory)
      throws IOException {
    StoreTool notes = new StoreTool(calls, stateDirectory);
    Optional<byte[]> latest = notes.get(LatestRun.KEY);
    if (latest.isEmpty()) {
      return Optional.empty();
    }
    List<Target> targets = new ArrayList<>();
    for (LatestRun.Hashed target : LatestRun.parse(latest.get())) {
      String hash = target.destination();
      Optional<byte[]> uri = notes.get(CheckpointStore.destinationKey(hash));
      targets.add(
          new Target(
              hash,
              uri.map(bytes -> new String(bytes, StandardCharsets.UTF_8)).orElse(""),
              target.required(),
              hasLooked(notes, hash)));
    }
    return Optional.of(new RememberedState(calls, stateDirectory, notes, targets));
  }

  /**
   * Returns what is known of these destinations, in their order, without those of which no run has
   * settled what they hold.
   *
   * @param destinationUris as the open destinations have them
   * @throws IOException when there is no store, when it is damaged, or when an agent has it open
   */
  public static RememberedState of(
      FileCalls calls, PosixPath stateDirectory, List<String> destinationUris) throws IOException {
    StoreTool notes = new StoreTool(calls, stateDirectory);
    List<Target> settled = new ArrayList<>();
    for (String uri : destinationUris) {
      String hash = CheckpointStore.shortHash(uri);
      if (notes.get(CheckpointStore.settledKey(hash)).isPresent()) {
        settled.add(new Target(hash, uri, true, hasLooked(notes, hash)));
      }
    }
    return new RememberedState(calls, stateDirectory, notes, settled);
  }

  private static boolean hasLooked(StoreTool notes, String hash) throws IOException {
    return notes.get(CheckpointStore.lookingKey(hash)).isEmpty();
  }

  /** Returns the destinations that are known. */
  public List<Target> targets() {
    return targets;
  }

  /** Returns the directories whose files the latest run archived as if they were in others. */
  public List<LatestRun.Moved> moved() throws IOException {
    return LatestRun.moved(notes);
  }

  /**
   * Reads the files of all destinations.
   *
   * @throws IOException when the state is damaged, or when an agent opened it before the reading
   *     was over
   */
  public <T> T read(Reading<T> reading) throws IOException {
    return notes.get(StateTakeOver.TABLE_KEY).isPresent()
        ? new DataFileTool(calls, directory.resolve(AgentState.FILES))
            .inspect(table -> reading.read(files(Optional.of(table))))
        : reading.read(files(Optional.empty()));
  }

  private List<RememberedFiles> files(Optional<StoreInspector> table) throws IOException {
    List<RememberedFiles> all = new ArrayList<>();
    for (Target target : targets) {
      all.add(new RememberedFiles(target.hash(), inLog(target), table));
    }
    return all;
  }

  private Map<FileIdentity, List<Checkpoint>> inLog(Target target) throws IOException {
    Map<FileIdentity, List<Checkpoint>> byIdentity = new HashMap<>();
    notes.forEach(
        StateTakeOver.checkpointsInLog(target.hash()),
        entry -> {
          if (StateTakeOver.isCheckpoint(entry.value())) {
            Checkpoint checkpoint = CheckpointCodec.decode(ByteBuffer.wrap(entry.value()));
            byIdentity
                .computeIfAbsent(checkpoint.identity(), _ -> new ArrayList<>())
                .add(checkpoint);
          }
        });
    return byIdentity;
  }
}
