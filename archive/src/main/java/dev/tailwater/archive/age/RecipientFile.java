package dev.tailwater.archive.age;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A file of public keys as {@code age -R} reads it: one key per line, with {@code #} comments. */
public final class RecipientFile {
  private RecipientFile() {}

  /**
   * Reads the recipients in a file, at least one.
   *
   * @throws KeyFormatException if a line is not a key, or there is none; names the file and the
   *     line
   * @throws IOException if the file cannot be read
   */
  public static List<Recipient> read(Path file) throws IOException {
    return parse(file.toString(), KeyFile.content(file));
  }

  /** Parses the content of such a file; {@code fileName} is for messages. */
  public static List<Recipient> parse(String fileName, String content) {
    return KeyFile.parse(fileName, content, Recipient::parse);
  }
}
