package dev.tailwater.bench.target;

import dev.tailwater.bench.run.ProgramOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine.Option;

/** What kind of destination the measured program delivers to. */
public final class TargetOptions {
  enum Kind {
    DIRECTORY,
    S3,
    GS,
    AZ,
    HDFS
  }

  @Option(
      names = "--to",
      paramLabel = "KIND",
      description =
          "directory, s3: versitygw on loopback, gs: fake-gcs-server on loopback, az: Azurite on"
              + " loopback, or hdfs: a cluster of three data nodes; the plug-in must be beside the"
              + " program (default: directory).")
  private Kind kind = Kind.DIRECTORY;

  @Option(
      names = "--hdfs",
      paramLabel = "DIR",
      description =
          "The module destination/hdfs, with the cluster for its tests (default:"
              + " ${DEFAULT-VALUE}).")
  private Path hdfsModule = Path.of("destination/hdfs");

  @Option(
      names = "--request-delay",
      paramLabel = "MS",
      description = "With --to s3: milliseconds that each request is on its way (default: 0).")
  private int requestDelayMillis;

  public boolean isServer() {
    return kind != Kind.DIRECTORY;
  }

  /** Of a report about it: {@code ship}, {@code ship-s3}. */
  public String reportName(String benchmark) {
    return isServer() ? benchmark + "-" + word(kind) : benchmark;
  }

  /** As on the command line, with a blank before it; empty for a directory. */
  public String words() {
    String delay = requestDelayMillis > 0 ? " --request-delay " + requestDelayMillis : "";
    return isServer() ? " --to " + word(kind) + delay : "";
  }

  private static String word(Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  /** Starts it, empty, below the work directory. */
  public Target start(ProgramOptions program) throws IOException {
    return start(kind, program);
  }

  /** Starts one of each kind, for a comparison of all. */
  public Targets startAll(ProgramOptions program) throws IOException {
    Targets targets = new Targets();
    boolean started = false;
    try {
      for (Kind each : Kind.values()) {
        targets.add(word(each), start(each, program));
      }
      started = true;
      return targets;
    } finally {
      if (!started) {
        targets.close();
      }
    }
  }

  /** The one destination, as if it were several. */
  public Targets startOnly(ProgramOptions program) throws IOException {
    Targets targets = new Targets();
    targets.add(word(kind), start(program));
    return targets;
  }

  private Target start(Kind which, ProgramOptions program) throws IOException {
    if (requestDelayMillis > 0 && which != Kind.S3) {
      throw new IOException("--request-delay is for --to s3 only: nothing else is delayed");
    }
    Path server = program.work().resolve("server-" + word(which));
    return switch (which) {
      case DIRECTORY -> new DirectoryTarget(program.archive());
      case S3 -> S3Target.start(server, requestDelayMillis);
      case GS -> GcsTarget.start(server);
      case AZ -> AzureTarget.start(server);
      case HDFS -> HdfsTarget.start(hdfsModule, server);
    };
  }
}
