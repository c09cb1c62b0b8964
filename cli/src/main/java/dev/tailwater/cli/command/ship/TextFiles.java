package dev.tailwater.cli.command.ship;

import dev.tailwater.cli.outcome.UserException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files of settings that a user wrote, which are read whole. */
final class TextFiles {
  /** Far more than settings take. A longer file was named by mistake, a log for example. */
  private static final int MOST_BYTES = 1 << 20;

  private TextFiles() {}

  /**
   * Reads a file; fails with a message for the user if it is no text, or too long.
   *
   * @param name what the user calls it
   */
  static String read(Path path, String name) throws IOException {
    byte[] bytes;
    try (InputStream in = Files.newInputStream(path)) {
      bytes = in.readNBytes(MOST_BYTES + 1);
    }
    if (bytes.length > MOST_BYTES) {
      throw UserException.usage(
          name + ": longer than 1 MiB, which is too long for a file of settings",
          "'head " + name + "' shows what it is instead");
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw UserException.usage(
          name + ": not UTF-8 text", "'file " + name + "' says what it is instead");
    }
  }
}
