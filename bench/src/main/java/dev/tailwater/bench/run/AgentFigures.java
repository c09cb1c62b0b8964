package dev.tailwater.bench.run;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.tailwater.delivery.control.ControlClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a running agent says of itself, asked at its control socket as {@code tailwater status}
 * does.
 *
 * @param files watched
 * @param deliveredObjects segments and packs; what replaces them when they are merged is not
 *     counted
 */
public record AgentFigures(
    long files, long atRiskBytes, long oldestAtRiskMillis, long deliveredObjects) {

  /** Asks the agent; empty when none runs on the state directory, or not yet. */
  public static Optional<AgentFigures> ask(Path state) throws IOException {
    Optional<String> status = new ControlClient(state).status();
    return status.isEmpty() ? Optional.empty() : Optional.of(of(numbers(status.get())));
  }

  private static AgentFigures of(Map<String, Long> numbers) {
    return new AgentFigures(
        number(numbers, "files"),
        number(numbers, "atRiskBytes"),
        number(numbers, "oldestAtRiskMillis"),
        number(numbers, "deliveredSegments"));
  }

  private static long number(Map<String, Long> numbers, String name) {
    return Optional.ofNullable(numbers.get(name))
        .orElseThrow(() -> new IllegalStateException("the status tells no " + name));
  }

  /** The whole numbers of the outermost object. */
  private static Map<String, Long> numbers(String status) throws IOException {
    Map<String, Long> numbers = new HashMap<>();
    try (JsonParser json = new JsonFactory().createParser(status)) {
      json.nextToken();
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        if (json.nextToken() == JsonToken.VALUE_NUMBER_INT) {
          numbers.put(name, json.getLongValue());
        } else {
          json.skipChildren();
        }
      }
    }
    return numbers;
  }
}
