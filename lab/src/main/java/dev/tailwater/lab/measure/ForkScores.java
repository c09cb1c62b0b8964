package dev.tailwater.lab.measure;

import dev.tailwater.lab.result.Series;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.SampleTimeResult;

/** The scores of the iterations of one JVM. */
final class ForkScores {
  private static final double MEDIAN_PERCENT = 50;

  private final String name;
  private final List<IterationResult> iterations;

  ForkScores(String name, List<IterationResult> iterations) throws IOException {
    if (iterations.isEmpty()) {
      throw new IOException(name + " gave no result");
    }
    this.name = name;
    this.iterations = iterations;
  }

  /**
   * Returns the median of the iterations' scores. If calls are sampled, an iteration's score is
   * their median, since other programs on the machine make some calls much longer.
   *
   * @param method of a group; empty for the score of the whole benchmark
   */
  double median(Optional<String> method) throws IOException {
    List<Double> scores = new ArrayList<>();
    for (IterationResult iteration : iterations) {
      scores.add(score(result(iteration, method)));
    }
    return new Series(scores).median();
  }

  private static double score(Result<?> result) {
    return result instanceof SampleTimeResult
        ? result.getStatistics().getPercentile(MEDIAN_PERCENT)
        : result.getScore();
  }

  private Result<?> result(IterationResult iteration, Optional<String> method) throws IOException {
    if (method.isEmpty()) {
      return iteration.getPrimaryResult();
    }
    Result<?> found = iteration.getSecondaryResults().get(method.get());
    if (found == null) {
      throw new IOException(name + " has no result of " + method.get());
    }
    return found;
  }
}
