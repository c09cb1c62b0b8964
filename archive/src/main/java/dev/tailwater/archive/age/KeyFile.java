package dev.tailwater.archive.age;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A parser of key files in age's format: one key per line, with empty lines and {@code #} comments.
 */
public final class KeyFile {
  static final int MAX_BYTES = 1024 * 1024;

  private KeyFile() {}

  /**
   * Reads the text of a file of keys.
   *
   * @throws KeyFormatException if it is no file, which could be waited for without an end, or too
   *     long to be one of keys
   * @throws IOException if the file cannot be read
   */
  public static String content(Path file) throws IOException {
    if (!isPipeOfTheShell(file)
        && Files.readAttributes(file, BasicFileAttributes.class).isOther()) {
      throw new KeyFormatException(file + ": not a file of keys but a device, pipe or socket");
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw new KeyFormatException(file + ": longer than 1 MiB, this is no key file");
      }
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }

  /** The shell has opened what {@code <(command)} names, and the command writes the keys. */
  private static boolean isPipeOfTheShell(Path file) {
    return file.startsWith("/dev/fd")
        || file.startsWith("/proc/self/fd")
        || file.equals(Path.of("/dev/stdin"));
  }

  static <K> List<K> parse(String fileName, String content, Function<String, K> parser) {
    if (content.startsWith("-----BEGIN AGE ENCRYPTED FILE")
        || content.startsWith("age-encryption.org/")) {
      throw new KeyFormatException(
          fileName + ": this key file is itself encrypted. Hint: decrypt it first with 'age -d'");
    }
    List<K> keys = new ArrayList<>();
    int number = 0;
    for (String line : content.split("\n", -1)) {
      number++;
      String text = line.strip();
      if (text.isEmpty() || text.startsWith("#")) {
        continue;
      }
      try {
        keys.add(parser.apply(text));
      } catch (KeyFormatException wrong) {
        throw new KeyFormatException(fileName + ", line " + number + ": " + wrong.getMessage());
      }
    }
    if (keys.isEmpty()) {
      throw new KeyFormatException(fileName + ": there is no key in this file");
    }
    return keys;
  }
}
