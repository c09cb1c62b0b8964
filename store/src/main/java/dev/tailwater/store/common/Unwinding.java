package dev.tailwater.store.common;

import java.io.IOException;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** A stack of resources that are closed in reverse order, all of them, unless they are kept. */
public final class Unwinding implements AutoCloseable {
  private final ArrayDeque<AutoCloseable> opened = new ArrayDeque<>();

  /** Adds a resource and returns it. */
  public <T extends AutoCloseable> T add(T resource) {
    opened.push(resource);
    return resource;
  }

  /** Keeps all resources open: {@link #close} does nothing any more. */
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
