package dev.tailwater.bench;

import dev.tailwater.bench.run.ProgramOptions;
import dev.tailwater.bench.run.RunReport;
import dev.tailwater.lab.measure.WorkDirectory;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.NoBenchmarksException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Unmatched;

/**
 * {@code bench jmh}: the micro benchmarks of {@link dev.tailwater.bench.io}. Whatever is no option
 * of this command goes to JMH as it is: a regular expression of class and method names, {@code -p
 * name=value}, {@code -f}, {@code -wi}, {@code -i}, {@code -prof gc}, {@code -l}, {@code -h}.
 *
 * <p>How long a benchmark runs is said by its own annotations. The figures of all forks go to one
 * file in the form of every other run: conditions first, then JMH's JSON, without this machine's
 * paths.
 */
@Command(
    name = "jmh",
    description = {
      "JMH benchmarks of the parts of io.",
      "Everything else on the command line is JMH's: a regular expression, -p, -f, -wi, -i, -prof,",
      "-l (list), -h (JMH's own help)."
    })
final class JmhCommand implements Callable<Integer> {
  @SuppressWarnings("UnusedVariable") // picocli reads it
  @Option(names = "--help", usageHelp = true, description = "Shows this.")
  private boolean help;

  @Option(
      names = "--work",
      paramLabel = "DIR",
      description = "Where benchmarks put their files (default: the temporary directory).")
  private Path work = Path.of(System.getProperty("java.io.tmpdir"));

  @Option(names = "--runs", paramLabel = "DIR", description = "Where the result is written too.")
  private Path runs = Path.of("");

  @Unmatched private List<String> jmhArguments = new ArrayList<>();

  @Override
  public Integer call() throws IOException {
    CommandLineOptions stated;
    try {
      stated = new CommandLineOptions(jmhArguments.toArray(String[]::new));
    } catch (CommandLineOptionException e) {
      System.err.println(e.getMessage());
      System.err.println("Hint: bench jmh -h lists the options of JMH");
      return 2;
    }
    if (stated.shouldHelp()) {
      stated.showHelp();
      return 0;
    }
    if (stated.shouldList()) {
      new Runner(stated).list();
      return 0;
    }
    try {
      measure(stated);
      return 0;
    } catch (NoBenchmarksException e) {
      System.err.println("no benchmark matches " + stated.getIncludes());
      System.err.println("Hint: bench jmh -l lists them");
      return 2;
    } catch (RunnerException e) {
      System.err.println("a benchmark failed, see above: " + e.getMessage());
      return 1;
    }
  }

  private void measure(CommandLineOptions stated) throws IOException, RunnerException {
    Path directory = Files.createDirectories(work).toRealPath();
    RunReport report =
        new RunReport(name(stated.getIncludes()), directory, ProgramOptions.directories(runs))
            .condition("command", "bench jmh " + String.join(" ", jmhArguments));
    Path result = Files.createTempFile("jmh", ".json");
    try {
      Runner runner =
          new Runner(
              options(stated, directory, result),
              OutputFormatFactory.createFormatInstance(
                  new PrintStream(System.err, true, Charset.defaultCharset()),
                  stated.verbosity().orElse(VerboseMode.NORMAL)));
      runner.run();
      report.details("jmh", JmhResult.read(result)).finish();
    } finally {
      Files.delete(result);
    }
  }

  private static Options options(CommandLineOptions stated, Path directory, Path result) {
    List<String> prepended = new ArrayList<>(stated.getJvmArgsPrepend().orElse(List.of()));
    prepended.add("--sun-misc-unsafe-memory-access=allow"); // JMH uses what newer JDKs warn about
    prepended.add("-D" + WorkDirectory.PROPERTY + "=" + directory);
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .parent(stated)
            .jvmArgsPrepend(prepended.toArray(String[]::new))
            .resultFormat(ResultFormatType.JSON)
            .result(result.toString());
    if (!stated.shouldFailOnError().hasValue()) {
      options.shouldFailOnError(true);
    }
    return options.build();
  }

  /** Of the file of results: what was asked for, as far as it makes a file name. */
  private static String name(List<String> includes) {
    return includes.stream()
        .map(include -> "-" + include.replaceAll("[^A-Za-z0-9]", ""))
        .collect(Collectors.joining("", "jmh", ""));
  }
}
