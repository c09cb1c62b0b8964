package dev.tailwater.archive.age;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A file of private keys as {@code age-keygen} writes it: one key per line, with {@code #}
 * comments.
 */
public final class IdentityFile {
  private IdentityFile() {}

  /**
   * Reads the identities in a file, at least one.
   *
   * @throws KeyFormatException if a line is not a key, or there is none; names the file and the
   *     line, never the key
   * @throws IOException if the file cannot be read
   */
  public static List<Identity> read(Path file) throws IOException {
    return parse(file.toString(), KeyFile.content(file));
  }

  /** Parses the content of such a file; {@code fileName} is for messages. */
  public static List<Identity> parse(String fileName, String content) {
    return KeyFile.parse(fileName, content, Identity::parse);
  }
}
