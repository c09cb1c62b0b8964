package dev.tailwater.delivery.drain;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.watch.Losses;
import dev.tailwater.destination.DestinationException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The small object that tells at each destination, to the byte, what a machine that went away left
 * behind: nothing, if all went well.
 */
final class LeftBehindRecord {
  /** A machine that goes away is used as long as it is there, and a put takes no longer. */
  static final Duration LONGEST_PUT = Duration.ofSeconds(2);

  /** However near the deadline is, a destination that works has so much time to take it. */
  static final Duration SHORTEST_PUT = Duration.ofMillis(250);

  /** So many ids have 410 KB. */
  private static final int MOST_COMPLETE = 10_000;

  private final String agent;
  private final long atMillis;
  private final Duration took;
  private final List<Drained> destinations;
  private final Losses.Report losses;

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
  LeftBehindRecord(
      String agent,
      long atMillis,
      Duration took,
      List<Drained> destinations,
      Losses.Report losses) {
    this.agent = agent;
    this.atMillis = atMillis;
    this.took = took;
    this.destinations = destinations;
    this.losses = losses;
  }

  /**
   * Puts it to the destinations, to all at once, since some may never answer.
   *
   * @param timeLeft how long the required ones are waited for; empty: for as long as it takes
   * @param leastTime so long in any case
   */
  void put(Drain.DrainContext context, Optional<Duration> timeLeft, Duration leastTime)
      throws InterruptedException {
    List<DrainLane> lanes = context.lanes();
    Map<DrainLane, Thread> threads = new LinkedHashMap<>();
    List<Runnable> unstarted = new ArrayList<>();
    for (int i = 0; i < lanes.size(); i++) {
      DrainLane lane = lanes.get(i);
      Drained lacking = destinations.get(i);
      Runnable put = () -> put(lane, lacking, context.problems());
      Thread thread = context.threads().unstarted("left-behind-" + i, put);
      try {
        thread.start();
        threads.put(lane, thread);
      } catch (OutOfMemoryError e) {
        unstarted.add(put); // No thread to be had: one after the other, and nobody else waits.
      }
    }
    unstarted.forEach(Runnable::run);
    long start = System.nanoTime();
    Duration longest = timeLeft.filter(t -> t.compareTo(leastTime) > 0).orElse(leastTime);
    Duration bestEffort = timeLeft.isEmpty() ? LONGEST_PUT : shorter(longest, LONGEST_PUT);
    for (Map.Entry<DrainLane, Thread> entry : threads.entrySet()) {
      if (timeLeft.isEmpty() && entry.getKey().required()) {
        entry.getValue().join();
      } else {
        // A best-effort destination that hangs must not use up what a dying machine has left.
        Duration limit = entry.getKey().required() ? longest : bestEffort;
        long leftNanos = start + limit.toNanos() - System.nanoTime();
        entry.getValue().join(Duration.ofNanos(Math.max(1, leftNanos)));
      }
    }
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private void put(DrainLane lane, Drained lacking, Problems problems) {
    try {
      lane.destination().putObject(key(agent), toJson(lacking));
    } catch (DestinationException e) {
      report(lane, problems, e.getMessage(), e.hint(), e.permanent());
    } catch (RuntimeException | Error e) {
      report(lane, problems, String.valueOf(e), "what is left behind is not on record", true);
    }
  }

  private void report(
      DrainLane lane, Problems problems, String message, String hint, boolean permanent) {
    Problems concerned = destinations.size() == 1 ? problems : problems.of(lane.name());
    concerned.report("left-behind.json", message, Optional.of(hint), permanent);
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
      LossesJson.write(json, losses);
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
