package dev.tailwater.cli.command;

import dev.tailwater.cli.host.DestinationText;
import dev.tailwater.cli.host.PluginDirectories;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.cli.probe.Leftovers;
import dev.tailwater.cli.probe.Probe;
import dev.tailwater.cli.probe.ProbePlan;
import dev.tailwater.cli.probe.ProbePrinter;
import dev.tailwater.cli.probe.ProbeReport;
import dev.tailwater.cli.probe.Scratch;
import dev.tailwater.cli.probe.StoppedException;
import dev.tailwater.cli.probe.UriTarget;
import dev.tailwater.cli.report.Json;
import dev.tailwater.cli.report.JsonOption;
import dev.tailwater.cli.report.TerminalProgress;
import dev.tailwater.cli.value.ByteSizes;
import dev.tailwater.cli.value.Count;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.destination.DestinationContext;
import dev.tailwater.destination.DestinationOpener;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.io.IOException;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tailwater probe}. */
@Command(
    name = "probe",
    description =
        "Test whether a destination permits what an archive needs and keeps its promises,"
            + " and how fast it is.",
    footer = {
      "",
      "Works in a new folder below the destination and removes what it wrote and, of a"
          + " directory, the folders that it made, even after Ctrl-C.",
      "Exit codes: 0 fit, 3 something is missing but no bytes are lost because of it, 1"
          + " not fit or not reached."
    })
final class ProbeCommand implements Callable<Integer> {
  private static final Duration MEASURING = Duration.ofSeconds(5);
  private static final int CALLS = 200;
  private static final int QUICK_CALLS = 30;
  private static final Pattern FOLDER = Pattern.compile("[A-Za-z0-9._~-]+(/[A-Za-z0-9._~-]+)*");
  private static final int LONGEST_FOLDER = 100;

  private final Surroundings surroundings;

  @Parameters(paramLabel = "DESTINATION", description = "Where the archive will live.")
  private String destination = "";

  @Option(
      names = "--scratch",
      paramLabel = "FOLDER",
      description = "Make the new folder in this folder of the destination (default: at its top).")
  private String scratch = "";

  @Option(
      names = "--quick",
      description = "Leave out tests that move many megabytes or make hundreds of requests.")
  private boolean quick;

  @Option(
      names = "--append-only",
      description =
          "Test only that objects can be created and neither replaced nor deleted with these"
              + " credentials, on an object that stays there. Exit code 1 if they can, 3 if that"
              + " is not known.")
  private boolean appendOnly;

  @Option(
      names = "--throughput",
      paramLabel = "SIZE",
      description =
          "Put at most this many bytes with one put at a time, and as many with eight, for"
              + " 5s each; 0B leaves the test out (default: 256MiB, with --quick 32MiB).")
  private String throughput = "";

  @Mixin private JsonOption json = new JsonOption();

  ProbeCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    ProbePlan plan = plan();
    SecureRandom random = new SecureRandom();
    String folder = folder(random);
    URI uri = DestinationText.parse(destination, surroundings);
    DestinationOpener opener =
        new DestinationOpener(
            new DestinationContext(LinuxFileCalls.create(), InstantSource.system(), random),
            PluginDirectories.of(surroundings));
    try (Scratch place = Scratch.open(new UriTarget(uri, opener, surroundings), folder)) {
      return probe(place, plan).number();
    }
  }

  private ExitCode probe(Scratch scratchPlace, ProbePlan plan)
      throws IOException, InterruptedException {
    Thread cleaner = new Thread(() -> stop(scratchPlace));
    Runtime.getRuntime().addShutdownHook(cleaner);
    ProbeReport report;
    Leftovers remains;
    try (TerminalProgress progress = TerminalProgress.counting(surroundings, "probe")) {
      Probe probe = new Probe(scratchPlace, plan, progress::at);
      report = appendOnly ? probe.runAppendOnly() : probe.run();
      remains = scratchPlace.cleanUp();
    } catch (StoppedException e) {
      // The shutdown hook reports the result, and the process ends then.
      scratchPlace.cleanUp();
      return ExitCode.FAILED;
    } catch (IOException | InterruptedException | RuntimeException e) {
      printLeft(scratchPlace.cleanUp(), scratchPlace);
      throw e;
    } finally {
      removeHook(cleaner);
    }
    ProbePrinter printer = new ProbePrinter(report, scratchPlace, remains);
    if (json.wanted()) {
      Json.object(surroundings.out(), printer::write);
      surroundings.err().println("tailwater: " + printer.sentence());
    } else {
      printer.print(surroundings.out());
    }
    return report.fitness().exitCode();
  }

  private void stop(Scratch scratchPlace) {
    scratchPlace.stop();
    Leftovers remains = scratchPlace.cleanUp();
    if (remains.why().isEmpty()) {
      surroundings.err().println("tailwater: stopped; what the probe wrote is removed");
    }
    printLeft(remains, scratchPlace);
  }

  private void printLeft(Leftovers remains, Scratch scratchPlace) {
    remains
        .why()
        .ifPresent(
            why ->
                surroundings
                    .err()
                    .println(
                        "tailwater: "
                            + Count.of(remains.keys().size(), "object")
                            + " below "
                            + scratchPlace.folder()
                            + " could not be removed: "
                            + Printable.line(why)));
  }

  private static void removeHook(Thread cleaner) {
    try {
      Runtime.getRuntime().removeShutdownHook(cleaner);
    } catch (IllegalStateException e) {
      // The process is ending: the hook runs, and finds nothing to do.
      return;
    }
  }

  private ProbePlan plan() {
    if (appendOnly && (quick || !throughput.isEmpty())) {
      throw UserException.usage(
          "--append-only leaves out the tests that "
              + (quick ? "--quick" : "--throughput")
              + " is about",
          "leave one of the two out");
    }
    long bytes = quick ? 32L << 20 : 256L << 20;
    if (!throughput.isEmpty()) {
      try {
        bytes = ByteSizes.parse(throughput);
      } catch (IllegalArgumentException e) {
        throw UserException.usage("--throughput: " + e.getMessage(), "--throughput 64MiB");
      }
      if (bytes > 0 && bytes < ProbePlan.LEAST_THROUGHPUT_BYTES) {
        throw UserException.usage(
            "--throughput: expected 0B or at least "
                + ByteSizes.format(ProbePlan.LEAST_THROUGHPUT_BYTES)
                + ", which is one segment, not '"
                + throughput
                + "'",
            "--throughput 64MiB");
      }
    }
    return new ProbePlan(
        quick, bytes, MEASURING, quick ? QUICK_CALLS : CALLS, InstantSource.system());
  }

  private String folder(SecureRandom random) {
    String name = "tailwater-probe-%016x".formatted(random.nextLong());
    if (scratch.isEmpty()) {
      return name;
    }
    boolean dots = scratch.matches("(.*/)?\\.{1,2}(/.*)?");
    if (!FOLDER.matcher(scratch).matches() || dots || scratch.length() > LONGEST_FOLDER) {
      throw UserException.usage(
          "--scratch: expected a folder of letters, digits and ._~- of at most "
              + LONGEST_FOLDER
              + " characters, not '"
              + scratch
              + "'",
          "--scratch scratch");
    }
    return scratch + "/" + name;
  }
}
