package dev.tailwater.lab.measure;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.random.RandomGenerator;

/** A file of random bytes, so that no layer below can compress it. */
public final class RandomFile {
  private static final int PIECE_BYTES = 1 << 20;

  private RandomFile() {}

  /** Writes the file in pieces, so that it may be larger than the heap. */
  public static void write(Path path, long sizeBytes, RandomGenerator random) throws IOException {
    byte[] piece = new byte[PIECE_BYTES];
    try (OutputStream out = Files.newOutputStream(path)) {
      for (long left = sizeBytes; left > 0; left -= PIECE_BYTES) {
        random.nextBytes(piece);
        out.write(piece, 0, (int) Math.min(left, PIECE_BYTES));
      }
    }
  }
}
