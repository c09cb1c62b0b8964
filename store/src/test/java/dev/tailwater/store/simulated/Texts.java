package dev.tailwater.store.simulated;

import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.log.StoreTool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** Keys and values as text, for tests. */
public final class Texts {
  private Texts() {}

  public static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  public static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  /** Everything in the store; ISO 8859-1 text sorts as unsigned bytes do. */
  public static Map<String, String> contents(KeyValueStore store) throws IOException {
    TreeMap<String, String> contents = new TreeMap<>();
    store.forEach(new byte[0], (key, value) -> contents.put(text(key), text(value)));
    return contents;
  }

  public static Map<String, String> contents(StoreTool tool) throws IOException {
    TreeMap<String, String> contents = new TreeMap<>();
    tool.scan(new byte[0], (key, value) -> contents.put(text(key), text(value)));
    return contents;
  }
}
