package dev.tailwater.lab.destination;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.lab.destination.DestinationTable.Puts;
import dev.tailwater.lab.experiment.Findings;
import dev.tailwater.lab.experiment.Headline;
import dev.tailwater.lab.experiment.PlannedExperiment;
import dev.tailwater.lab.experiment.Topic;
import dev.tailwater.lab.measure.Effort;
import dev.tailwater.lab.measure.Figures;
import dev.tailwater.lab.measure.Laboratory;
import dev.tailwater.lab.measure.Rounds;
import dev.tailwater.lab.result.Plot;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.Series;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The experiment with a real destination. It puts segments into a new folder there, and removes the
 * folder.
 */
public final class DestinationExperiment extends PlannedExperiment<DestinationPlan> {
  /** The topic, which is shown even if the experiment cannot be run. */
  public static final Topic TOPIC =
      Topic.of(
          "destination",
          "Which segments does the destination take fastest, and how many at a time?");

  private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*:");

  private final Destination destination;
  private final String uri;

  /**
   * Creates the experiment for an open destination, which the caller closes.
   *
   * @param uri of the destination, without secrets
   */
  public DestinationExperiment(Destination destination, String uri) {
    this(destination, uri, DestinationPlan::of);
  }

  DestinationExperiment(
      Destination destination, String uri, Function<Effort, DestinationPlan> plans) {
    super(TOPIC, plans);
    this.destination = destination;
    this.uri = uri;
  }

  @Override
  public Optional<Headline> headline(List<ResultTable> tables) {
    return DestinationHeadline.of(tables);
  }

  @Override
  public Duration expectedTime(Effort effort) {
    return plan(effort).expectedTime();
  }

  @Override
  public long mostBytes(Effort effort) {
    return 0;
  }

  @Override
  protected Findings run(Laboratory laboratory, DestinationPlan plan)
      throws IOException, InterruptedException {
    Map<Puts, List<Series>> measured = measured(laboratory, plan);
    ResultTable table = DestinationTable.of(measured);
    DestinationConclusions conclusions = new DestinationConclusions(table);
    Map<String, String> conditions = new LinkedHashMap<>();
    conditions.put("destination", scheme(uri));
    conditions.put("segments", "random bytes, no two the same");
    conditions.put("a sample is", "puts begun for " + plan.millis() + " ms, removed afterwards");
    conditions.put(
        "rounds",
        Integer.toString(measured.values().iterator().next().getFirst().samples().size()));
    conditions.put(
        "puts at a time", "no setting: ship has up to 8 under way; workers are for sealing");
    return new Findings(
        conditions,
        List.of(table),
        plots(plan),
        conclusions.conclusions(),
        conclusions.recommendations());
  }

  private Map<Puts, List<Series>> measured(Laboratory laboratory, DestinationPlan plan)
      throws IOException, InterruptedException {
    String folder = "tailwater-lab-" + Long.toHexString(laboratory.random().nextLong());
    DestinationScratch scratch = new DestinationScratch(destination, folder);
    // A process that is told to stop must not leave its segments at the destination.
    Thread cleaner = Thread.ofPlatform().unstarted(() -> closeAtExit(scratch));
    Runtime.getRuntime().addShutdownHook(cleaner);
    try {
      PutTrial trial = new PutTrial(scratch, plan, laboratory.random());
      Rounds<Puts> rounds = new Rounds<>();
      for (int sizeBytes : plan.sizesBytes()) {
        for (int parallel : plan.parallel()) {
          rounds.add(new Puts(sizeBytes, parallel), () -> trial.measure(sizeBytes, parallel));
        }
      }
      return rounds.measure(
          laboratory, plan.warmUps(), plan.rounds(), plan.expectedTime().multipliedBy(2));
    } finally {
      close(scratch, folder);
      removeHook(cleaner);
    }
  }

  private void close(DestinationScratch scratch, String folder) throws IOException {
    try {
      scratch.close();
    } catch (DestinationException e) {
      throw new IOException(left(folder, e), e);
    }
  }

  /**
   * Returns the scheme: the only part of a URI that a shared report may contain; a path has none.
   */
  static String scheme(String uri) {
    Matcher matcher = SCHEME.matcher(uri);
    return matcher.lookingAt() ? matcher.group() : "file:";
  }

  private static String left(String folder, DestinationException failure) {
    return "objects are left in the folder %s of the destination, remove them: %s"
        .formatted(folder, failure.getMessage());
  }

  private void closeAtExit(DestinationScratch scratch) {
    try {
      scratch.close();
    } catch (DestinationException e) {
      System.err.println("tailwater lab: objects are left at " + uri + ": " + e.getMessage());
    }
  }

  private static void removeHook(Thread cleaner) {
    try {
      Runtime.getRuntime().removeShutdownHook(cleaner);
    } catch (IllegalStateException stopping) {
      // The hook runs already, and finds nothing to do.
    }
  }

  private static List<Plot> plots(DestinationPlan plan) {
    Plot.Shape shape = plan.sizesBytes().size() > 2 ? Plot.Shape.LINES : Plot.Shape.BARS;
    return List.of(
        new Plot(
            "throughput by size of the segments",
            DestinationTable.TITLE,
            DestinationTable.THROUGHPUT.name(),
            DestinationTable.SIZE,
            DestinationTable.PARALLEL,
            Map.of(),
            shape,
            false),
        new Plot(
            "time of a put, up to " + Figures.size(plan.sizesBytes().getLast()),
            DestinationTable.TITLE,
            DestinationTable.LATENCY.name(),
            DestinationTable.SIZE,
            DestinationTable.PARALLEL,
            Map.of(),
            shape,
            true));
  }
}
