package dev.tailwater.lab.write;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A set of volumes that are closed together, the last one first. */
final class BlockVolumes implements AutoCloseable {
  private final Deque<BlockVolume> volumes = new ArrayDeque<>();

  void add(BlockVolume volume) {
    volumes.push(volume);
  }

  /** Returns the volumes in the order in which they were added. */
  List<BlockVolume> all() {
    return new ArrayList<>(volumes).reversed();
  }

  /** Closes all of them; throws the first failure. */
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
