package dev.tailwater.bench.run;

import dev.tailwater.lab.seal.AccessLog;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files of an access log, which the benchmarks read. */
public final class AccessLogFile {
  private AccessLogFile() {}

  /** Writes a file; the same seed gives the same bytes. */
  public static void write(Path file, long seed, long sizeBytes) throws IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      new AccessLog(seed).write(out, sizeBytes);
    }
  }
}
