package dev.tailwater.lab.experiment;

import dev.tailwater.lab.measure.Effort;
import dev.tailwater.lab.measure.Laboratory;
import java.io.IOException;
import java.util.function.Function;

/**
 * An experiment that has a plan for each effort: how much is measured, and how often.
 *
 * @param <P> the plan
 */
public abstract class PlannedExperiment<P> implements Experiment {
  private final Topic topic;
  private final Function<Effort, P> plans;

  /**
   * Creates an experiment.
   *
   * @param plans the plan for each effort; a test gives one that takes little time
   */
  protected PlannedExperiment(Topic topic, Function<Effort, P> plans) {
    this.topic = topic;
    this.plans = plans;
  }

  @Override
  public final Topic topic() {
    return topic;
  }

  /** Returns the plan for an effort. */
  protected final P plan(Effort effort) {
    return plans.apply(effort);
  }

  @Override
  public final Findings run(Laboratory laboratory) throws IOException, InterruptedException {
    return run(laboratory, plan(laboratory.effort()));
  }

  /** Measures what the plan says; leaves files only in the laboratory's directory. */
  protected abstract Findings run(Laboratory laboratory, P plan)
      throws IOException, InterruptedException;
}
