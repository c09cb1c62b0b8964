package dev.tailwater.delivery.drain;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.tailwater.archive.ArchiveNames;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.destination.DestinationException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The small object that tells at each destination, to the byte, what a machine that went away left
 * behind: nothing, if all went well.
 */
final class LeftBehindRecord {
  /** One put may take so long, however near the deadline is. */
  private static final Duration LEAST_TIME = Duration.ofSeconds(2);

  private final String agent;
  private final long atMillis;
  private final Duration took;
  private final List<DestinationDrain> destinations;

  /**
   * @param took how long the drain has taken
   */
  LeftBehindRecord(
      String agent, long atMillis, Duration took, List<DestinationDrain> destinations) {
    this.agent = agent;
    this.atMillis = atMillis;
    this.took = took;
    this.destinations = destinations;
  }

  /**
   * Puts it to the destinations, to all at once, since some may never answer.
   *
   * @param evenIfNothing to those too that lack nothing
   * @param timeLeft how long the required ones are waited for; empty: for as long as it takes
   */
  void put(
      List<DrainLane> lanes, boolean evenIfNothing, Problems problems, Optional<Duration> timeLeft)
      throws InterruptedException {
    Map<DrainLane, Thread> threads = new LinkedHashMap<>();
    for (int i = 0; i < lanes.size(); i++) {
      DrainLane lane = lanes.get(i);
      DestinationDrain lacking = destinations.get(i);
      if (evenIfNothing || !lacking.leftBehind().isEmpty()) {
        threads.put(
            lane,
            Thread.ofPlatform()
                .name("left-behind-" + i)
                .daemon(true)
                .start(() -> put(lane, lacking, problems)));
      }
    }
    long start = System.nanoTime();
    Duration longest = timeLeft.filter(t -> t.compareTo(LEAST_TIME) > 0).orElse(LEAST_TIME);
    for (Map.Entry<DrainLane, Thread> entry : threads.entrySet()) {
      if (timeLeft.isEmpty() && entry.getKey().required()) {
        entry.getValue().join();
      } else {
        // A best-effort destination that hangs must not use up what a dying machine has left.
        Duration limit = entry.getKey().required() ? longest : LEAST_TIME;
        long leftNanos = start + limit.toNanos() - System.nanoTime();
        entry.getValue().join(Duration.ofNanos(Math.max(1, leftNanos)));
      }
    }
  }

  private void put(DrainLane lane, DestinationDrain lacking, Problems problems) {
    try {
      lane.destination().putObject(key(agent), toJson(lacking));
    } catch (DestinationException e) {
      Problems concerned = destinations.size() == 1 ? problems : problems.of(lane.name());
      concerned.report(
          "left-behind.json", String.valueOf(e.getMessage()), Optional.of(e.hint()), e.permanent());
    }
  }

  static String key(String agent) {
    return ArchiveNames.agentObject(agent, "left-behind.json");
  }

  byte[] toJson(DestinationDrain lacking) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = new JsonFactory().createGenerator(bytes)) {
      json.writeStartObject();
      json.writeNumberField("format", 1);
      json.writeStringField("agent", agent);
      json.writeNumberField("atMillis", atMillis);
      json.writeNumberField("tookMillis", took.toMillis());
      json.writeNumberField("deliveredBytes", lacking.deliveredBytes());
      json.writeNumberField("leftBehindBytes", lacking.leftBehindBytes());
      LeftBehindJson.write(json, "streams", lacking.leftBehind());
      if (destinations.size() > 1) {
        LeftBehindJson.writeDestinations(json, destinations);
      }
      json.writeEndObject();
    } catch (IOException e) {
      throw new AssertionError("writing to memory does not fail", e);
    }
    return bytes.toByteArray();
  }
}
