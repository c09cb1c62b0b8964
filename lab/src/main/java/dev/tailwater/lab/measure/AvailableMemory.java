package dev.tailwater.lab.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/** The memory that is available on this host. */
public final class AvailableMemory {
  private static final Path MEMORY = Path.of("/proc/meminfo");

  private AvailableMemory() {}

  /**
   * Returns what is missing for the given number of bytes, and what to do; empty if there is
   * enough.
   */
  public static Optional<String> missing(long neededBytes) throws IOException {
    return missing(neededBytes, bytes());
  }

  static Optional<String> missing(long neededBytes, OptionalLong availableBytes) {
    return availableBytes.isPresent() && availableBytes.getAsLong() < neededBytes
        ? Optional.of(
            "It needs %d MiB of free memory, and there are %d MiB: end other programs."
                .formatted(neededBytes >> 20, availableBytes.getAsLong() >> 20))
        : Optional.empty();
  }

  /** Returns MemAvailable of proc_meminfo(5); empty on kernels that do not report it. */
  private static OptionalLong bytes() throws IOException {
    return Files.readAllLines(MEMORY).stream()
        .filter(line -> line.startsWith("MemAvailable:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
        .findFirst();
  }
}
