package dev.tailwater.delivery.drain;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.tailwater.archive.ArchiveNames;
import dev.tailwater.archive.StreamId;
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

  /** So many ids have 410 KB. */
  private static final int MOST_COMPLETE = 10_000;

  private final String agent;
  private final long atMillis;
  private final Duration took;
  private final List<Drained> destinations;

  /**
   * What one destination is told.
   *
   * @param complete streams that go on, and of which it has everything
   */
  record Drained(DestinationDrain drain, List<StreamId> complete) {
    Drained {
      complete = List.copyOf(complete);
    }
  }

  /**
   * @param took how long the drain has taken
   */
  LeftBehindRecord(String agent, long atMillis, Duration took, List<Drained> destinations) {
    this.agent = agent;
    this.atMillis = atMillis;
    this.took = took;
    this.destinations = destinations;
  }

  /**
   * Puts it to the destinations, to all at once, since some may never answer.
   *
   * @param timeLeft how long the required ones are waited for; empty: for as long as it takes
   */
  void put(List<DrainLane> lanes, Problems problems, Optional<Duration> timeLeft)
      throws InterruptedException {
    Map<DrainLane, Thread> threads = new LinkedHashMap<>();
    for (int i = 0; i < lanes.size(); i++) {
      DrainLane lane = lanes.get(i);
      Drained lacking = destinations.get(i);
      threads.put(
          lane,
          Thread.ofPlatform()
              .name("left-behind-" + i)
              .daemon(true)
              .start(() -> put(lane, lacking, problems)));
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

  private void put(DrainLane lane, Drained lacking, Problems problems) {
    try {
      lane.destination().putObject(key(agent), toJson(lacking));
    } catch (DestinationException e) {
      Problems concerned = destinations.size() == 1 ? problems : problems.of(lane.name());
      concerned.report(
          "left-behind.json", String.valueOf(e.getMessage()), Optional.of(e.hint()), e.permanent());
    }
  }

  static String key(String agent) {
    return ArchiveNames.lastDrain(agent);
  }

  byte[] toJson(Drained drained) {
    DestinationDrain lacking = drained.drain();
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
      // In a hurry, a long list may not get through; what is not on it counts as not known.
      json.writeArrayFieldStart("complete");
      for (StreamId stream : drained.complete().stream().limit(MOST_COMPLETE).toList()) {
        json.writeString(stream.text());
      }
      json.writeEndArray();
      if (destinations.size() > 1) {
        LeftBehindJson.writeDestinations(json, destinations.stream().map(Drained::drain).toList());
      }
      json.writeEndObject();
    } catch (IOException e) {
      throw new AssertionError("writing to memory does not fail", e);
    }
    return bytes.toByteArray();
  }
}
