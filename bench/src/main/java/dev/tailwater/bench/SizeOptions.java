package dev.tailwater.bench;

import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** What the generated file is like. */
final class SizeOptions {
  @Option(
      names = "--mib",
      paramLabel = "N",
      description = "Size in MiB (default: ${DEFAULT-VALUE}).")
  private long sizeMebibytes = 2_048;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of the generator (default: ${DEFAULT-VALUE}).")
  private long seed = 1;

  long sizeBytes() {
    return sizeMebibytes << 20;
  }

  long seed() {
    return seed;
  }

  void generate(Path file) throws IOException {
    GenerateCommand.write(file, seed, sizeBytes());
  }
}
