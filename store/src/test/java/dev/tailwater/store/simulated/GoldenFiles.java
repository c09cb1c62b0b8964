package dev.tailwater.store.simulated;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Files of known content, as hexadecimal text with remarks, among the test's resources. */
public final class GoldenFiles {
  private GoldenFiles() {}

  public static byte[] read(String folder, String name) {
    String resource = folder + "/" + name + ".hex";
    try (InputStream in = GoldenFiles.class.getResourceAsStream("/" + resource)) {
      if (in == null) {
        throw new AssertionError("no " + resource);
      }
      StringBuilder digits = new StringBuilder();
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n", -1)) {
        digits.append(line.replaceFirst("#.*", "").replaceAll("\\s", ""));
      }
      return HexFormat.of().parseHex(digits);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  public static void check(String folder, String name, byte[] content) {
    assertArrayEquals(
        read(folder, name),
        content,
        () -> folder + "/" + name + " is " + HexFormat.of().formatHex(content));
  }
}
