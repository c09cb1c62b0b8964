package dev.tailwater.lab.read;

import dev.tailwater.posix.FileCalls;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/** A set of files that are closed together. */
final class ReadFiles implements AutoCloseable {
  private final Deque<ReadFile> files = new ArrayDeque<>();

  ReadFile open(FileCalls calls, Path path, int sizeBytes) throws IOException {
    ReadFile file = ReadFile.open(calls, path, sizeBytes);
    files.push(file);
    return file;
  }

  /** Closes all of them; throws the first failure. */
  @Override
  public void close() throws IOException {
    if (files.isEmpty()) {
      return;
    }
    try (this) {
      files.pop().close();
    }
  }
}
