package dev.tailwater.lab;

import dev.tailwater.lab.destination.DestinationExperiment;
import dev.tailwater.lab.destination.DestinationHeadline;
import dev.tailwater.lab.experiment.Experiment;
import dev.tailwater.lab.experiment.Findings;
import dev.tailwater.lab.experiment.Headline;
import dev.tailwater.lab.experiment.Topic;
import dev.tailwater.lab.measure.Effort;
import dev.tailwater.lab.measure.Laboratory;
import dev.tailwater.lab.result.ResultTable;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A stand-in for the experiment with a destination, so that results show that it is missing. */
final class NoDestination implements Experiment {
  @Override
  public Topic topic() {
    return DestinationExperiment.TOPIC;
  }

  @Override
  public Optional<Headline> headline(List<ResultTable> tables) {
    return DestinationHeadline.of(tables);
  }

  @Override
  public Duration expectedTime(Effort effort) {
    return Duration.ZERO;
  }

  @Override
  public long mostBytes(Effort effort) {
    return 0;
  }

  @Override
  public Optional<String> missing(Laboratory laboratory) {
    return Optional.of("no destination was given; --destination URI measures one");
  }

  @Override
  public Findings run(Laboratory laboratory) {
    return new Findings(Map.of(), List.of(), List.of(), List.of(), List.of());
  }
}
