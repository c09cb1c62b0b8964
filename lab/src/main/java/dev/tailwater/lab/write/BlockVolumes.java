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

  /** In the order in which they came. */
  List<BlockVolume> all() {
    return new ArrayList<>(volumes).reversed();
  }

  /** Closes every one of them; throws what the first of them threw. */
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
