package dev.tailwater.archive.age;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A parser of key files in age's format: one key per line, with empty lines and {@code #} comments.
 */
final class KeyFile {
  static final int MAX_BYTES = 1024 * 1024;

  private KeyFile() {}

  static String content(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw new KeyFormatException(file + ": longer than 1 MiB, this is no key file");
      }
      return new String(bytes, StandardCharsets.UTF_8);
    }
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
