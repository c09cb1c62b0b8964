package dev.tailwater.delivery.drain;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.record.JsonPaths;
import dev.tailwater.archive.record.LastDrain;
import dev.tailwater.archive.record.StreamSums;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.receipt.Receipts;
import dev.tailwater.delivery.route.SmallObjects;
import dev.tailwater.delivery.time.Deadline;
import dev.tailwater.delivery.watch.Losses;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.posix.PosixPath;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The small object at each destination that says, to the byte, what a machine that went away left
 * behind: nothing, if all went well.
 */
final class LeftBehindRecord {
  /** The subject of the problem that a record could not be put. */
  static final String SUBJECT = "left-behind.json";

  /** How long a put may take when the machine goes away and reading goes on as long as it can. */
  static final Duration LONGEST_PUT = Duration.ofSeconds(2);

  /** How long a destination has to take the record, however near the deadline is. */
  static final Duration SHORTEST_PUT = Duration.ofMillis(250);

  /** With less time than that, the record is put before the first receipt. */
  private static final Duration RECEIPT_FIRST = Duration.ofSeconds(10);

  /** What an id takes beside its text. */
  private static final int ID_BYTES = 3;

  /** What the sum of a group takes. */
  private static final int SUM_BYTES = 19;

  /** For what comes after the ids, the signature included. */
  private static final int REST_BYTES = 64 << 10;

  private static final int MOST_PROBLEMS = 100;
  private static final int MOST_PROBLEM_CHARACTERS = 1_000;

  /** What an element of a list takes beside its path and its ranges. */
  private static final int ELEMENT_BYTES = 128;

  private static final int RANGE_BYTES = 72;

  private final String agent;
  private final long atMillis;
  private final long toldMillis;
  private final Duration took;
  private final List<Drained> destinations;
  private final Losses.Report losses;

  /**
   * What the record of one destination says.
   *
   * @param complete streams that have not ended and of which it has everything
   * @param problems what kept the agent from delivering everything to it, or from seeing it
   */
  record Drained(DestinationDrain drain, CompleteStreams complete, List<String> problems) {
    Drained {
      problems = List.copyOf(problems);
    }
  }

  /**
   * Creates the records of all destinations.
   *
   * @param toldMillis the latest time that the archive tells of the agent, if it is after the end
   * @param took how long the drain has taken
   */
  LeftBehindRecord(
      String agent,
      long atMillis,
      long toldMillis,
      Duration took,
      List<Drained> destinations,
      Losses.Report losses) {
    this.agent = agent;
    this.atMillis = atMillis;
    this.toldMillis = toldMillis;
    this.took = took;
    this.destinations = destinations;
    this.losses = losses;
  }

  /** Returns the streams of which it says that something is missing somewhere. */
  Set<StreamId> incomplete() {
    return destinations.stream()
        .flatMap(lacking -> lacking.drain().leftBehind().stream())
        .map(LeftBehind::stream)
        .collect(Collectors.toSet());
  }

  /**
   * Puts the records to all destinations at once, since some may never answer. Where a put returns
   * when a later record was made, that one is put once more: this one may have replaced it.
   *
   * @param latest returns the last record of the drain that is to be put
   * @param timeLeft how long to wait for the required ones; empty: as long as it takes
   * @param leastTime how long to wait in any case
   */
  void put(
      DrainContext context,
      Supplier<LeftBehindRecord> latest,
      Optional<Duration> timeLeft,
      Duration leastTime)
      throws InterruptedException {
    List<DrainLane> lanes = context.lanes();
    boolean inTime = timeLeft.filter(left -> left.compareTo(RECEIPT_FIRST) < 0).isEmpty();
    Map<DrainLane, Thread> threads = new LinkedHashMap<>();
    List<Runnable> unstarted = new ArrayList<>();
    for (int i = 0; i < lanes.size(); i++) {
      DrainLane lane = lanes.get(i);
      int number = i;
      Runnable put = () -> putLatest(lane, number, context, latest, inTime);
      Thread thread = context.threads().unstarted("left-behind-" + i, put);
      try {
        thread.start();
        threads.put(lane, thread);
      } catch (OutOfMemoryError e) {
        unstarted.add(put); // Out of threads: these are put one by one, while the others go on.
      }
    }
    unstarted.forEach(Runnable::run);
    Deadline required =
        Deadline.after(timeLeft.filter(t -> t.compareTo(leastTime) > 0).orElse(leastTime));
    Deadline bestEffort =
        timeLeft.isEmpty() ? Deadline.after(LONGEST_PUT) : required.within(LONGEST_PUT);
    for (Map.Entry<DrainLane, Thread> entry : threads.entrySet()) {
      if (timeLeft.isEmpty() && entry.getKey().required()) {
        entry.getValue().join();
      } else {
        // A best-effort destination that hangs must not use up the time that the machine has left.
        Deadline limit = entry.getKey().required() ? required : bestEffort;
        var _ = limit.join(entry.getValue());
      }
    }
  }

  private void putLatest(
      DrainLane lane,
      int number,
      DrainContext context,
      Supplier<LeftBehindRecord> latest,
      boolean inTime) {
    LeftBehindRecord record = this;
    record.put(lane, destinations.get(number), context, inTime);
    for (LeftBehindRecord next = latest.get(); next != record; next = latest.get()) {
      record = next;
      record.put(lane, record.destinations.get(number), context, inTime);
    }
  }

  private void put(DrainLane lane, Drained lacking, DrainContext context, boolean inTime) {
    Problems problems = context.problems();
    try {
      Problems concerned = destinations.size() == 1 ? problems : problems.of(lane.name());
      if (inTime) {
        lane.receipts().ifPresent(Receipts::writeFirst);
      }
      Optional<Boolean> receipt = lane.receipts().map(Receipts::hasWritten);
      byte[] json = toJson(lacking, receipt);
      var _ = SmallObjects.put(lane.destination(), concerned, key(agent), json, context.signer());
      lane.receipts().ifPresent(Receipts::writeLast);
    } catch (DestinationException e) {
      report(lane, problems, e.getMessage(), e.hint(), e.permanent());
    } catch (RuntimeException | Error e) {
      report(lane, problems, String.valueOf(e), "what is left behind is not on record", true);
    }
  }

  private void report(
      DrainLane lane, Problems problems, String message, String hint, boolean permanent) {
    Problems concerned = destinations.size() == 1 ? problems : problems.of(lane.name());
    concerned.report(SUBJECT, message, Optional.of(hint), permanent);
  }

  static String key(String agent) {
    return ArchiveNames.lastDrain(agent);
  }

  /**
   * Returns the record of a destination.
   *
   * @param receipt whether a receipt of the agent is there; empty if it writes none
   */
  byte[] toJson(Drained drained, Optional<Boolean> receipt) {
    DestinationDrain lacking = drained.drain();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = new JsonFactory().createGenerator(bytes)) {
      json.writeStartObject();
      json.writeNumberField("format", 1);
      json.writeStringField("agent", agent);
      json.writeNumberField("atMillis", atMillis);
      if (toldMillis > atMillis) {
        json.writeNumberField("toldMillis", toldMillis);
      }
      json.writeNumberField("tookMillis", took.toMillis());
      json.writeNumberField("deliveredBytes", lacking.deliveredBytes());
      json.writeNumberField("leftBehindBytes", lacking.leftBehindBytes());
      json.writeNumberField("leftBehindFiles", lacking.leftBehind().size());
      LeftBehindJson.writeExactly(json, "streams", firstOf(lacking.leftBehind()));
      if (receipt.isPresent()) {
        json.writeBooleanField("receipt", receipt.get());
      }
      writeProblems(json, drained.problems());
      LossesJson.write(json, firstOf(losses));
      json.flush();
      writeComplete(json, drained.complete(), LastDrain.MAX_BYTES - REST_BYTES - bytes.size());
      if (destinations.size() > 1) {
        LeftBehindJson.writeDestinations(json, destinations.stream().map(Drained::drain).toList());
      }
      json.writeEndObject();
    } catch (IOException e) {
      throw new AssertionError("writing to memory does not fail", e);
    }
    return bytes.toByteArray();
  }

  /** Writes as much as fits; a stream of which nothing is said counts as unknown. */
  private static void writeComplete(JsonGenerator json, CompleteStreams complete, int mostBytes)
      throws IOException {
    json.writeArrayFieldStart("complete");
    int bytes = 0;
    for (StreamId stream : complete.named()) {
      bytes += stream.text().length() + ID_BYTES;
      if (bytes > mostBytes) {
        break;
      }
      json.writeString(stream.text());
    }
    json.writeEndArray();
    if (complete.sums().isPresent()) {
      StreamSums sums = complete.sums().get();
      int fitting = Integer.highestOneBit(Math.max(1, mostBytes / SUM_BYTES));
      json.writeArrayFieldStart("completeSums");
      for (String sum : sums.inGroups(Math.min(sums.groups(), fitting)).texts()) {
        json.writeString(sum);
      }
      json.writeEndArray();
    }
  }

  private static List<LeftBehind> firstOf(List<LeftBehind> left) {
    return RecordBudget.STREAMS.first(
        left,
        one -> JsonPaths.textOf(one.path()),
        one -> ELEMENT_BYTES + RANGE_BYTES * one.ranges().size());
  }

  private static Losses.Report firstOf(Losses.Report losses) {
    return new Losses.Report(
        losses.missedFiles(),
        firstPaths(losses.missed()),
        losses.perhapsMissedFiles(),
        firstPaths(losses.perhapsMissed()),
        losses.changedFiles(),
        RecordBudget.OTHERS.first(
            losses.changed(), one -> one.path().toString(), _ -> ELEMENT_BYTES));
  }

  private static List<PosixPath> firstPaths(List<PosixPath> paths) {
    return RecordBudget.OTHERS.first(paths, PosixPath::toString, _ -> ELEMENT_BYTES);
  }

  private static String shortened(String text) {
    if (text.length() <= MOST_PROBLEM_CHARACTERS) {
      return text;
    }
    boolean isBetween = Character.isHighSurrogate(text.charAt(MOST_PROBLEM_CHARACTERS - 1));
    return text.substring(0, MOST_PROBLEM_CHARACTERS - (isBetween ? 1 : 0));
  }

  private static void writeProblems(JsonGenerator json, List<String> problems) throws IOException {
    List<String> texts =
        problems.stream().limit(MOST_PROBLEMS).map(LeftBehindRecord::shortened).toList();
    json.writeNumberField("problemCount", problems.size());
    json.writeArrayFieldStart("problems");
    for (String text : RecordBudget.OTHERS.first(texts, text -> text, _ -> ELEMENT_BYTES)) {
      json.writeString(text);
    }
    json.writeEndArray();
  }
}
