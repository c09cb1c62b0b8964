package dev.tailwater.it.docs;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.cli.config.ShipKey;
import dev.tailwater.cli.value.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a manifest for Kubernetes says to our program. */
final class Manifest {
  /** What an agent needs beside its drain: 5 s to close, and a reserve. */
  private static final Duration RESERVE = Duration.ofSeconds(10);

  private static final String GRACE_SECONDS = "terminationGracePeriodSeconds";

  private Manifest() {}

  /** The arguments of each call of the program, with the variables that Kubernetes puts in. */
  static List<List<String>> commands(Object node) {
    List<List<String>> commands = new ArrayList<>();
    for (Map<?, ?> map : maps(node).toList()) {
      if (map.get("command") instanceof List<?> command
          && String.valueOf(command.getFirst()).endsWith("/tailwater")) {
        List<String> words = new ArrayList<>(texts(command.subList(1, command.size())));
        if (map.get("args") instanceof List<?> arguments) {
          words.addAll(texts(arguments));
        }
        commands.add(words);
      }
    }
    return commands;
  }

  /** The configuration files of the program in it. */
  static List<String> configurations(Object node) {
    return maps(node)
        .flatMap(
            map -> map.get("tailwater.yaml") instanceof String text ? Stream.of(text) : Stream.of())
        .toList();
  }

  /** The grace period of each pod with an agent is longer than the agent needs. */
  static void requireTimeToDrain(String place, Object node) {
    Duration needed =
        Durations.parse(ShipKey.DRAIN_DEADLINE.standard().orElseThrow()).plus(RESERVE);
    for (Map<?, ?> pod : maps(node).filter(map -> map.containsKey("containers")).toList()) {
      if (commands(pod).stream().anyMatch(command -> command.contains("ship"))) {
        long seconds = pod.get(GRACE_SECONDS) instanceof Number number ? number.longValue() : 0;
        assertTrue(seconds >= needed.toSeconds(), place + ": " + GRACE_SECONDS + " " + seconds);
      }
    }
  }

  private static Stream<Map<?, ?>> maps(@Nullable Object node) {
    if (node instanceof Map<?, ?> map) {
      return Stream.concat(Stream.of(map), map.values().stream().flatMap(Manifest::maps));
    }
    return node instanceof List<?> list ? list.stream().flatMap(Manifest::maps) : Stream.of();
  }

  private static List<String> texts(List<?> items) {
    return items.stream()
        .map(item -> String.valueOf(item).replaceAll("\\$\\([A-Z_]+\\)", "name-of-it"))
        .toList();
  }
}
