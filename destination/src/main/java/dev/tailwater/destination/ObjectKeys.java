package dev.tailwater.destination;

import java.net.URI;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.Optional;

/**
 * The rules for legal keys and their order. They are the same for every kind of destination, so
 * that an archive can be copied from any kind to any other.
 */
public final class ObjectKeys {
  /**
   * The limit of a key's length as UTF-8, which is that of <a
   * href="https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-keys.html">S3</a>.
   */
  public static final int MAX_KEY_BYTES = 1024;

  /**
   * The limit of a component's length as UTF-8, which is NAME_MAX of Linux file systems. A
   * component is the text between two slashes.
   */
  public static final int MAX_COMPONENT_BYTES = 255;

  /** The first component of the names under which a destination keeps unfinished objects. */
  public static final String RESERVED = ".tailwater-tmp";

  /**
   * Compares keys by the unsigned bytes of their UTF-8 form, which is the order of code points. The
   * order of Java strings differs from it above U+FFFF.
   */
  public static final Comparator<String> ORDER = ObjectKeys::compare;

  private ObjectKeys() {}

  private static int compare(String a, String b) {
    int length = Math.min(a.length(), b.length());
    for (int i = 0; i < length; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y) {
        // Surrogates stand for code points above every other char.
        boolean surrogateX = Character.isSurrogate(x);
        boolean surrogateY = Character.isSurrogate(y);
        return surrogateX == surrogateY ? Character.compare(x, y) : surrogateX ? 1 : -1;
      }
    }
    return Integer.compare(a.length(), b.length());
  }

  /** Returns why the key is illegal; empty if it is legal. */
  public static Optional<String> problem(String key) {
    if (key.isEmpty()) {
      return Optional.of("it is empty");
    }
    int lengthBytes;
    try {
      lengthBytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(key)).remaining();
    } catch (CharacterCodingException e) {
      return Optional.of("it has half of a surrogate pair, which UTF-8 cannot express");
    }
    if (lengthBytes > MAX_KEY_BYTES) {
      return Optional.of("it is " + lengthBytes + " bytes long, of at most " + MAX_KEY_BYTES);
    }
    if (key.indexOf('\0') >= 0) {
      return Optional.of("it contains a NUL");
    }
    String[] components = key.split("/", -1);
    for (String component : components) {
      Optional<String> problem = componentProblem(component);
      if (problem.isPresent()) {
        return problem;
      }
    }
    return components[0].equals(RESERVED)
        ? Optional.of("its first component " + RESERVED + " is reserved")
        : Optional.empty();
  }

  private static Optional<String> componentProblem(String component) {
    if (component.isEmpty()) {
      return Optional.of("it starts or ends with a slash, or has two in a row");
    }
    if (component.equals(".") || component.equals("..")) {
      return Optional.of("it has a component " + component);
    }
    int length = component.getBytes(StandardCharsets.UTF_8).length;
    return length > MAX_COMPONENT_BYTES
        ? Optional.of("a component is " + length + " bytes long, of at most " + MAX_COMPONENT_BYTES)
        : Optional.empty();
  }

  /** Throws an {@link UnsuitableKeyException} if the key is illegal. */
  public static void require(URI destination, String operation, String key)
      throws UnsuitableKeyException {
    Optional<String> problem = problem(key);
    if (problem.isPresent()) {
      throw new UnsuitableKeyException(
          destination,
          operation,
          key,
          "the key is not legal: " + problem.get(),
          "Keys come from the archive's naming rules; an agent name or object put there by hand is"
              + " the likely cause.");
    }
  }
}
