package dev.tailwater.delivery.checkpoint;

import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.WriteBatch;
import dev.tailwater.store.log.StoreTool;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The notes of the latest run for status requests while no agent runs.
 *
 * <p>That of its destinations has a line for each: a hash of its URI, and {@code best-effort} if it
 * is. Versions that knew one destination only wrote the hash alone. That of the directories whose
 * files are archived as if they were in others has two paths for each, each with a NUL behind it;
 * earlier agents wrote none.
 */
public final class LatestRun {
  static final byte[] KEY = CheckpointStore.ascii("latest");

  private static final byte[] MOVED_KEY = CheckpointStore.ascii("sources-as");
  private static final String BEST_EFFORT = "best-effort";

  private LatestRun() {}

  /** A destination of a run. */
  public record Target(String uri, boolean required) {}

  /** A directory whose files are archived as if they were in another. */
  public record Moved(PosixPath here, PosixPath there) {}

  /** Notes where a run that is under way delivers to, and what it archives under other names. */
  public static void note(KeyValueStore store, List<Target> targets, List<Moved> moved)
      throws IOException {
    String text =
        targets.stream()
            .map(
                target ->
                    CheckpointStore.shortHash(target.uri())
                        + (target.required() ? "" : " " + BEST_EFFORT))
            .collect(Collectors.joining("\n"));
    WriteBatch batch = new WriteBatch().put(KEY, CheckpointStore.ascii(text));
    if (moved.isEmpty()) {
      batch.remove(MOVED_KEY);
    } else {
      batch.put(MOVED_KEY, encode(moved));
    }
    store.apply(batch);
  }

  private static byte[] encode(List<Moved> moved) {
    ByteArrayOutputStream paths = new ByteArrayOutputStream();
    for (Moved directory : moved) {
      paths.writeBytes(directory.here().toBytes());
      paths.write(0);
      paths.writeBytes(directory.there().toBytes());
      paths.write(0);
    }
    return paths.toByteArray();
  }

  /** Returns the directories whose files the latest run archived as if they were in others. */
  static List<Moved> moved(StoreTool notes) throws IOException {
    Optional<byte[]> value = notes.get(MOVED_KEY);
    if (value.isEmpty()) {
      return List.of();
    }
    List<PosixPath> paths = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < value.get().length; i++) {
      if (value.get()[i] == 0) {
        paths.add(PosixPath.of(Arrays.copyOfRange(value.get(), start, i)));
        start = i + 1;
      }
    }
    List<Moved> moved = new ArrayList<>();
    for (int i = 0; i + 1 < paths.size(); i += 2) {
      moved.add(new Moved(paths.get(i), paths.get(i + 1)));
    }
    return moved;
  }

  /** A destination of which only the hash is known. */
  record Hashed(String destination, boolean required) {}

  static List<Hashed> parse(byte[] value) {
    List<Hashed> targets = new ArrayList<>();
    for (String line : new String(value, StandardCharsets.US_ASCII).split("\n", -1)) {
      String[] words = line.split(" ", 2);
      targets.add(new Hashed(words[0], words.length < 2 || !words[1].equals(BEST_EFFORT)));
    }
    return targets;
  }
}
