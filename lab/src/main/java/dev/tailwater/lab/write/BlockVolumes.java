package dev.tailwater.lab.write;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Volumes that are closed together, the last one first. */
final class BlockVolumes implements AutoCloseable {
  private final Deque<BlockVolume> volumes = new ArrayDeque<>();

  void add(BlockVolume volume) {
    volumes.push(volume);
  }

  /** Returns them in the order in which they were added. */
  List<BlockVolume> all() {
    return new ArrayList<>(volumes).reversed();
  }

  /** Closes all of them; throws what the first failure was. */
  @Override
  public void close() throws IOException {
    if (volumes.isEmpty()) {
      return;
    }
    try (this) {
      volumes.pop().close();
    }
  }
}
