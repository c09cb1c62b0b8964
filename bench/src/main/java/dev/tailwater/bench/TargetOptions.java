package dev.tailwater.bench;

import java.io.IOException;
import java.util.Locale;
import picocli.CommandLine.Option;

/** What kind of destination the measured program delivers to. */
final class TargetOptions {
  enum Kind {
    DIRECTORY,
    S3
  }

  @Option(
      names = "--to",
      paramLabel = "KIND",
      description =
          "directory or s3: versitygw on loopback, whose plug-in must be beside the program"
              + " (default: directory).")
  private Kind kind = Kind.DIRECTORY;

  boolean isServer() {
    return kind != Kind.DIRECTORY;
  }

  /** Of a report about it: {@code ship}, {@code ship-s3}. */
  String reportName(String benchmark) {
    return isServer() ? benchmark + "-" + word() : benchmark;
  }

  /** As on the command line, with a blank before it; empty for a directory. */
  String words() {
    return isServer() ? " --to " + word() : "";
  }

  private String word() {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  /** Starts it, empty, below the work directory. */
  Target start(ProgramOptions program) throws IOException {
    return switch (kind) {
      case DIRECTORY -> new DirectoryTarget(program.archive());
      case S3 -> S3Target.start(program.work().resolve("server"));
    };
  }
}
