package dev.tailwater.it.docs;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Why a block is not run: a line of {@code not-run.txt}.
 *
 * @param page relative to the repository
 * @param begin how the text of the block begins
 * @param reason what it would need, and which test runs it instead
 */
record NotRun(String page, String begin, String reason) {
  static List<NotRun> all() throws IOException {
    try (InputStream file =
        Objects.requireNonNull(NotRun.class.getResourceAsStream("/docs/not-run.txt"))) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(NotRun::of)
          .toList();
    }
  }

  private static NotRun of(String line) {
    String[] parts = line.split(" \\| ", 3);
    if (parts.length != 3) {
      throw new IllegalArgumentException("not PAGE | BEGIN | REASON: " + line);
    }
    return new NotRun(parts[0].strip(), parts[1].strip(), parts[2].strip());
  }

  boolean fits(Block block) {
    return block.page().equals(page) && block.text().strip().startsWith(begin);
  }

  static Optional<NotRun> of(Block block, List<NotRun> all) {
    return all.stream().filter(one -> one.fits(block)).findFirst();
  }
}
