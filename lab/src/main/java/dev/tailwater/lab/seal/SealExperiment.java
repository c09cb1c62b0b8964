package dev.tailwater.lab.seal;

import dev.tailwater.lab.experiment.Experiment;
import dev.tailwater.lab.experiment.Findings;
import dev.tailwater.lab.experiment.Headline;
import dev.tailwater.lab.experiment.Topic;
import dev.tailwater.lab.measure.Effort;
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

/** {@code seal}: the cost of compression and encryption, and the best codec for an uplink. */
public final class SealExperiment implements Experiment {
  private static final Topic TOPIC =
      Topic.of(
          "seal", "What do compressing and encrypting cost, and which level does an uplink want?");

  private static final int WARM_UPS = 2;

  private final Function<Effort, List<SealVariant>> variants;
  private final Function<Effort, Integer> rounds;
  private final Function<Effort, Integer> mebibytes;

  public SealExperiment() {
    this(SealVariant::of, effort -> effort.pick(5, 9, 9), effort -> effort.pick(4, 8, 16));
  }

  SealExperiment(
      Function<Effort, List<SealVariant>> variants,
      Function<Effort, Integer> rounds,
      Function<Effort, Integer> mebibytes) {
    this.variants = variants;
    this.rounds = rounds;
    this.mebibytes = mebibytes;
  }

  @Override
  public Topic topic() {
    return TOPIC;
  }

  @Override
  public Optional<Headline> headline(List<ResultTable> tables) {
    return SealHeadline.of(tables);
  }

  @Override
  public Duration expectedTime(Effort effort) {
    return effort.pick(Duration.ofSeconds(6), Duration.ofSeconds(45), Duration.ofMinutes(6));
  }

  @Override
  public long mostBytes(Effort effort) {
    return 0;
  }

  @Override
  public Findings run(Laboratory laboratory) throws IOException, InterruptedException {
    Effort effort = laboratory.effort();
    int size = mebibytes.apply(effort);
    Rounds<SealVariant> trials = new Rounds<>();
    Map<SealVariant, List<Series>> measured;
    try (Sealing sealing = new Sealing(size, laboratory.random().nextLong())) {
      for (SealVariant variant : variants.apply(effort)) {
        trials.add(variant, () -> sealing.measure(variant));
      }
      measured =
          trials.measure(
              laboratory, WARM_UPS, rounds.apply(effort), expectedTime(effort).multipliedBy(2));
    }
    ResultTable table = SealTables.sealing(measured);
    ResultTable uplinks = SealTables.uplinks(measured);
    SealConclusions conclusions = new SealConclusions(table, uplinks);
    Map<String, String> conditions = new LinkedHashMap<>();
    conditions.put("segment", size + " MiB of lines of a web server's access log, made for this");
    conditions.put(
        "threads", "1, as with one worker; others make it faster until the uplink is full");
    conditions.put("rounds", "" + measured.values().iterator().next().getFirst().samples().size());
    conditions.put(
        "an uplink",
        "computed: the slower of one processor that seals without encryption, and of sending what"
            + " it gives");
    return new Findings(
        conditions,
        List.of(table, uplinks),
        plots(),
        conclusions.conclusions(),
        conclusions.recommendations());
  }

  private static List<Plot> plots() {
    return List.of(
        new Plot(
            "processor time by codec",
            SealTables.SEALING,
            SealTables.PROCESSOR.name(),
            SealTables.CODEC,
            SealTables.ENCRYPTION,
            Map.of(),
            Plot.Shape.BARS,
            true),
        new Plot(
            "files' bytes through an uplink",
            SealTables.UPLINKS,
            SealTables.DELIVERED.name(),
            SealTables.UPLINK,
            SealTables.CODEC,
            Map.of(),
            Plot.Shape.BARS,
            true));
  }
}
