package dev.tailwater.store.common;

import java.io.IOException;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** Closes what was opened so far, last first and all of it, unless it is told to keep it. */
public final class Unwinding implements AutoCloseable {
  private final ArrayDeque<AutoCloseable> opened = new ArrayDeque<>();

  public <T extends AutoCloseable> T add(T resource) {
    opened.push(resource);
    return resource;
  }

  public void keepAll() {
    opened.clear();
  }

  @Override
  public void close() throws IOException {
    @Nullable Throwable first = null;
    while (!opened.isEmpty()) {
      try {
        opened.pop().close();
      } catch (Throwable failed) {
        if (first == null) {
          first = failed;
        } else {
          first.addSuppressed(failed);
        }
      }
    }
    switch (first) {
      case null -> {}
      case IOException failed -> throw failed;
      case RuntimeException failed -> throw failed;
      case Error failed -> throw failed;
      default -> throw new IOException(first);
    }
  }
}
