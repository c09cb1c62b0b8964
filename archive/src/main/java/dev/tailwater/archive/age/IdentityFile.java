package dev.tailwater.archive.age;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A file of private keys as {@code age-keygen} writes it: one per line, {@code #} comments. */
public final class IdentityFile {
  private IdentityFile() {}

  /**
   * The identities in the file, at least one.
   *
   * @throws KeyFormatException naming file and line, never the key
   * @throws IOException when the file cannot be read
   */
  public static List<Identity> read(Path file) throws IOException {
    return parse(file.toString(), KeyFile.content(file));
  }

  /** The same from the file's content; {@code fileName} is for messages. */
  public static List<Identity> parse(String fileName, String content) {
    return KeyFile.parse(fileName, content, Identity::parse);
  }
}
