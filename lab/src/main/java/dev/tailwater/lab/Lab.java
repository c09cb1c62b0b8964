package dev.tailwater.lab;

import dev.tailwater.lab.experiment.Experiment;
import dev.tailwater.lab.experiment.Findings;
import dev.tailwater.lab.measure.Laboratory;
import dev.tailwater.lab.measure.OutOfTimeException;
import dev.tailwater.lab.measure.TimeBudget;
import dev.tailwater.lab.result.ExperimentResult;
import dev.tailwater.posix.FileCalls;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * A runner of experiments, one after the other, each in an empty directory that is removed after
 * it. An experiment that cannot be run here is skipped, and one that fails does not stop the rest;
 * the results contain both with the reason.
 */
public final class Lab {
  private final FileCalls calls;
  private final RandomGenerator random;
  private final LabObserver observer;
  private final LongSupplier nanoTime;

  /** How an experiment ended. */
  private record Ended(
      Optional<String> skipped,
      Optional<String> failed,
      Optional<String> leftOut,
      Findings findings) {
    private static final Findings NOTHING =
        new Findings(Map.of(), List.of(), List.of(), List.of(), List.of());

    static Ended measured(Findings findings, Optional<String> leftOut) {
      return new Ended(Optional.empty(), Optional.empty(), leftOut, findings);
    }

    static Ended skipped(String why) {
      return new Ended(Optional.of(why), Optional.empty(), Optional.empty(), NOTHING);
    }

    static Ended late(Experiment experiment) {
      String why =
          "left out to keep the run quick, since this machine is slow now; '--only "
              + experiment.name()
              + "' measures it alone";
      return new Ended(Optional.of(why), Optional.empty(), Optional.of("everything"), NOTHING);
    }

    static Ended failed(String why) {
      return new Ended(Optional.empty(), Optional.of(why), Optional.empty(), NOTHING);
    }
  }

  public Lab(FileCalls calls, RandomGenerator random, LabObserver observer) {
    this(calls, random, observer, System::nanoTime);
  }

  /**
   * Creates a lab with another clock.
   *
   * @param nanoTime a clock like {@link System#nanoTime}
   */
  Lab(FileCalls calls, RandomGenerator random, LabObserver observer, LongSupplier nanoTime) {
    this.calls = calls;
    this.random = random;
    this.observer = observer;
    this.nanoTime = nanoTime;
  }

  /**
   * Runs the experiments of a plan.
   *
   * @return a result for each experiment of the plan, in its order
   * @throws IOException the directory cannot be written
   * @throws InterruptedException the thread was interrupted, which ends the current experiment
   */
  public List<ExperimentResult> run(LabPlan plan, LabScratch scratch)
      throws IOException, InterruptedException {
    RemainingTime time = new RemainingTime(plan.experiments(), plan.effort());
    TimeLimit limit = new TimeLimit(plan, nanoTime);
    List<ExperimentResult> results = new ArrayList<>();
    for (int i = 0; i < plan.experiments().size(); i++) {
      Experiment experiment = plan.experiments().get(i);
      Optional<TimeBudget> budget = limit.budget(i);
      ExperimentResult result =
          budget.isPresent()
              ? run(experiment, i, plan, scratch, time, budget.get())
              : result(experiment, Path.of("/"), Ended.late(experiment), nanoTime.getAsLong());
      results.add(result);
      observer.ended(result);
    }
    return results;
  }

  private ExperimentResult run(
      Experiment experiment,
      int index,
      LabPlan plan,
      LabScratch scratch,
      RemainingTime time,
      TimeBudget budget)
      throws IOException, InterruptedException {
    long beginNanos = nanoTime.getAsLong();
    Path room = scratch.room(experiment.name());
    Laboratory laboratory =
        new Laboratory(
            room,
            plan.effort(),
            calls,
            random,
            (done, doing) ->
                observer.at(
                    experiment,
                    time.share(index, done),
                    time.after(index, done, since(beginNanos)),
                    doing),
            budget);
    try {
      laboratory.progress().at(0, "beginning");
      Optional<String> missing = experiment.missing(laboratory);
      Ended ended =
          missing.isPresent()
              ? Ended.skipped(missing.get())
              : Ended.measured(experiment.run(laboratory), budget.leftOut());
      return result(experiment, room, ended, beginNanos);
    } catch (OutOfTimeException e) {
      return result(experiment, room, Ended.late(experiment), beginNanos);
    } catch (IOException | RuntimeException | Error e) {
      if (Thread.interrupted()) {
        InterruptedException stopped = new InterruptedException("stopped");
        stopped.addSuppressed(e);
        throw stopped;
      }
      observer.failed(experiment, e);
      return result(experiment, room, Ended.failed(reason(e)), beginNanos);
    } finally {
      clear(experiment, room);
    }
  }

  /**
   * Removes a directory. A failure must not lose the results; the directory is removed at the end.
   */
  private void clear(Experiment experiment, Path room) {
    try {
      LabScratch.delete(room);
    } catch (IOException e) {
      observer.failed(experiment, e);
    }
  }

  private ExperimentResult result(Experiment experiment, Path room, Ended ended, long beginNanos) {
    Findings findings = ended.findings();
    Map<String, String> conditions = new LinkedHashMap<>();
    findings.conditions().forEach((name, value) -> conditions.put(name, withoutPath(value, room)));
    return new ExperimentResult(
        experiment.name(),
        experiment.topic().question(),
        experiment.topic().article(),
        ended.skipped().map(why -> withoutPath(why, room)),
        ended.failed().map(why -> withoutPath(why, room)),
        ended.leftOut(),
        conditions,
        findings.tables(),
        findings.plots(),
        findings.conclusions(),
        findings.recommendations(),
        since(beginNanos).toMillis());
  }

  /** Masks paths: results are meant to be shared, and paths reveal who measured where. */
  private static String withoutPath(String text, Path room) {
    String without = text;
    for (Path part = room; part != null && part.getNameCount() > 0; part = part.getParent()) {
      without = without.replace(part.toString(), "DIR");
    }
    return without;
  }

  private static String reason(Throwable failure) {
    String kind = failure.getClass().getSimpleName();
    String message = failure.getMessage();
    return message == null || message.isBlank() ? kind : kind + ": " + message;
  }

  private Duration since(long beginNanos) {
    return Duration.ofNanos(nanoTime.getAsLong() - beginNanos);
  }
}
