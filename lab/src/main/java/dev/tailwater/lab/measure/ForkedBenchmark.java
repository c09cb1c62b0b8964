package dev.tailwater.lab.measure;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * One JMH benchmark with its parameters, run in a JVM of its own.
 *
 * @param type the class with the benchmark, compiled with JMH's annotation processor
 * @param method the benchmark's, or the name of a group
 * @param parameters a value for each {@link org.openjdk.jmh.annotations.Param @Param} that is not
 *     to have all of its own
 * @param jvmOptions of the JVM, in addition to those that every JVM needs; none are inherited from
 *     the running JVM, whose agents and caches would be measured too
 */
public record ForkedBenchmark(
    Class<?> type, String method, Map<String, String> parameters, List<String> jvmOptions) {
  /**
   * Options that every JVM needs: newer JDKs warn about what JMH uses, and the measured methods
   * call native code.
   */
  private static final List<String> ANY_NEEDS =
      List.of(
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow",
          "-XX:-UsePerfData");

  static {
    // Otherwise JMH keeps a lock file in the temporary directory, which a second user could not
    // lock.
    System.setProperty("jmh.ignoreLock", "true");
  }

  public ForkedBenchmark {
    parameters = Map.copyOf(parameters);
    jvmOptions = List.copyOf(jvmOptions);
  }

  /** Runs the benchmark once; prints nothing. */
  ForkScores run(ForkPlan plan, Path directory) throws IOException, InterruptedException {
    Collection<RunResult> results;
    try (PrintStream nowhere =
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        ChildClassPath.Lease _ = ChildClassPath.lease()) {
      Runner runner =
          new Runner(
              options(plan, directory).build(),
              OutputFormatFactory.createFormatInstance(nowhere, VerboseMode.NORMAL));
      results = runner.run();
    } catch (RunnerException e) {
      List<Throwable> reasons = reasons(e);
      if (reasons.stream().anyMatch(InterruptedException.class::isInstance)) {
        throw new InterruptedException("interrupted in " + name());
      }
      throw new IOException(name() + " failed: " + said(reasons), e);
    }
    return new ForkScores(name(), iterations(results));
  }

  private String name() {
    return type.getSimpleName() + "." + method + (parameters.isEmpty() ? "" : " " + parameters);
  }

  private ChainedOptionsBuilder options(ForkPlan plan, Path directory) {
    List<String> jvm = new ArrayList<>(ANY_NEEDS);
    jvm.addAll(jvmOptions);
    jvm.add("-D" + WorkDirectory.PROPERTY + "=" + directory);
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include("^" + Pattern.quote(type.getName() + "." + method) + "$")
            .forks(1)
            .warmupForks(0)
            .jvmArgs()
            .jvmArgsAppend(jvm.toArray(String[]::new)) // Replaces what annotations append.
            .warmupIterations(plan.warmUps())
            .warmupTime(TimeValue.milliseconds(plan.warmUpMillis()))
            .measurementIterations(plan.iterations())
            .measurementTime(TimeValue.milliseconds(plan.iterationMillis()))
            .shouldFailOnError(true);
    parameters.forEach(options::param);
    return options;
  }

  private static List<IterationResult> iterations(Collection<RunResult> results) {
    List<IterationResult> iterations = new ArrayList<>();
    for (RunResult result : results) {
      for (BenchmarkResult fork : result.getBenchmarkResults()) {
        iterations.addAll(fork.getIterationResults());
      }
    }
    return iterations;
  }

  /** Returns the causes of JMH's exceptions, which are among the suppressed ones. */
  private static List<Throwable> reasons(Throwable failure) {
    List<Throwable> reasons = new ArrayList<>();
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      reasons.add(cause);
      for (Throwable suppressed : cause.getSuppressed()) {
        reasons.addAll(reasons(suppressed));
      }
    }
    return reasons;
  }

  private static String said(List<Throwable> reasons) {
    Throwable last = reasons.getLast();
    boolean ours = last instanceof RunnerException || last instanceof IllegalStateException;
    return ours && last.getMessage() != null ? last.getMessage() : last.toString();
  }
}
