package dev.tailwater.bench.run;

import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** What the generated file is like. */
public final class SizeOptions {
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

  public long sizeBytes() {
    return sizeMebibytes << 20;
  }

  public long seed() {
    return seed;
  }

  public void generate(Path file) throws IOException {
    AccessLogFile.write(file, seed, sizeBytes());
  }
}
