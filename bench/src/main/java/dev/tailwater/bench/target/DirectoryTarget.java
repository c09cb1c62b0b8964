package dev.tailwater.bench.target;

import dev.tailwater.bench.run.ProgramOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** A directory, which the program writes itself. */
record DirectoryTarget(Path archive) implements Target {
  @Override
  public String uri() {
    return archive.toString();
  }

  @Override
  public Map<String, String> environment() {
    return Map.of();
  }

  @Override
  public void empty() throws IOException {
    ProgramOptions.delete(archive);
  }

  @Override
  public SegmentObserver observe(SegmentObserver.Listener listener) throws IOException {
    return new ArchiveObserver(Files.createDirectories(archive), true, listener);
  }

  @Override
  public String durableMeans() {
    return "an fsync of the archive's directory, begun after the object had its name, has returned";
  }

  @Override
  public Optional<Path> objects() {
    return Optional.of(archive);
  }

  @Override
  public Map<String, Long> requests() {
    return Map.of();
  }

  @Override
  public void close() throws IOException {
    empty();
  }
}
