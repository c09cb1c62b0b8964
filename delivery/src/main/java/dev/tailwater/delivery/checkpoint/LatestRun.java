package dev.tailwater.delivery.checkpoint;

import dev.tailwater.store.KeyValueStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The note of the destinations that the latest run delivered to, for status requests while no agent
 * runs. It has a line for each: a hash of its URI, and {@code best-effort} if it is. Versions that
 * knew one destination only wrote the hash alone.
 */
public final class LatestRun {
  static final byte[] KEY = CheckpointStore.ascii("latest");

  private static final String BEST_EFFORT = "best-effort";

  private LatestRun() {}

  /** A destination of a run. */
  public record Target(String uri, boolean required) {}

  /** Notes the destinations of a run that is under way. */
  public static void note(KeyValueStore store, List<Target> targets) throws IOException {
    String text =
        targets.stream()
            .map(
                target ->
                    CheckpointStore.shortHash(target.uri())
                        + (target.required() ? "" : " " + BEST_EFFORT))
            .collect(Collectors.joining("\n"));
    store.put(KEY, CheckpointStore.ascii(text));
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
