package dev.tailwater.archive.age;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A file of public keys as {@code age -R} reads it: one per line, {@code #} comments. */
public final class RecipientFile {
  private RecipientFile() {}

  /**
   * The recipients in the file, at least one.
   *
   * @throws KeyFormatException naming file and line
   * @throws IOException when the file cannot be read
   */
  public static List<Recipient> read(Path file) throws IOException {
    return parse(file.toString(), KeyFile.content(file));
  }

  /** The same from the file's content; {@code fileName} is for messages. */
  public static List<Recipient> parse(String fileName, String content) {
    return KeyFile.parse(fileName, content, Recipient::parse);
  }
}
