package dev.tailwater.archive.name;

import dev.tailwater.posix.PosixPath;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Conversion of a file's path to components of an object key, and back.
 *
 * <p>Letters, digits and {@code . _ + = @ , -} stand for themselves; every other byte becomes
 * {@code %XX}. This leaves {@code ~} free to mark shortened names. The components {@code .} and
 * {@code ..}, and components that look like a stream id, are escaped too. A key therefore contains
 * at most one stream id, and no object can be a folder of another.
 */
public final class PathNames {
  static final int MAX_COMPONENT_BYTES = 230;
  static final int MAX_PATH_BYTES = 600;

  /** The longest path of a file in an archive: PATH_MAX of Linux. */
  public static final int MAX_FILE_BYTES = 4096;

  static final char SHORTENED = '~';
  private static final int MAX_HEAD_BYTES = 190;

  /** An escape is never cut apart, so the head may be up to two characters shorter. */
  private static final int MIN_HEAD_BYTES = MAX_HEAD_BYTES - 2;

  private static final String PLAIN = "._+=@,-";
  private static final String HEX = "0123456789ABCDEF";

  private PathNames() {}

  /** A path that was read from a key; inexact if a part of it was shortened. */
  record Decoded(PosixPath path, boolean shortened) {}

  /**
   * Returns whether the path can be {@linkplain #encode encoded}: it is absolute and has at least
   * one component.
   */
  public static boolean isFile(PosixPath path) {
    return path.isAbsolute() && path.hasName();
  }

  /**
   * Returns the encoded components, joined by slashes, without a leading slash.
   *
   * @throws IllegalArgumentException if the path is not absolute or has no components
   */
  static String encode(PosixPath path) {
    byte[] raw = path.toBytes();
    if (isItsOwnEncoding(raw)) {
      return new String(raw, 1, raw.length - 1, StandardCharsets.ISO_8859_1);
    }
    List<byte[]> components = components(raw);
    if (!path.isAbsolute() || components.isEmpty()) {
      throw new IllegalArgumentException("not an absolute path of a file: '" + path + "'");
    }
    List<String> encoded = new ArrayList<>(components.size());
    for (byte[] component : components) {
      encoded.add(encodeComponent(component));
    }
    String joined = String.join("/", encoded);
    return joined.length() <= MAX_PATH_BYTES ? joined : shortened(components, encoded);
  }

  /**
   * Returns whether it is certain that the encoding is the path itself, without its first slash, as
   * that of almost all paths is. It is not where a component is as long as a stream id.
   */
  private static boolean isItsOwnEncoding(byte[] path) {
    if (path.length < 2 || path.length - 1 > MAX_PATH_BYTES || path[0] != '/') {
      return false;
    }
    int from = 1;
    for (int at = 1; at < path.length; at++) {
      if (path[at] == '/') {
        if (!mayStay(path, from, at)) {
          return false;
        }
        from = at + 1;
      } else if (!isPlain((char) (path[at] & 0xff))) {
        return false;
      }
    }
    return mayStay(path, from, path.length);
  }

  /** Returns whether a component of plain characters is its own encoding. */
  private static boolean mayStay(byte[] path, int from, int to) {
    int length = to - from;
    return length > 0
        && length <= MAX_COMPONENT_BYTES
        && length != StreamId.LENGTH_CHARACTERS
        && (path[from] != '.' || length > 2);
  }

  /** Returns the components that are not empty: {@code a//b} names the same file as {@code a/b}. */
  private static List<byte[]> components(byte[] bytes) {
    List<byte[]> components = new ArrayList<>();
    int from = 0;
    for (int at = 0; at <= bytes.length; at++) {
      if (at == bytes.length || bytes[at] == '/') {
        if (at > from) {
          components.add(Arrays.copyOfRange(bytes, from, at));
        }
        from = at + 1;
      }
    }
    return components;
  }

  /** Returns as many leading components as fit, a hash of the whole path, and the file's name. */
  private static String shortened(List<byte[]> components, List<String> encoded) {
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    for (byte[] component : components) {
      whole.write('/');
      whole.writeBytes(component);
    }
    String last = encoded.getLast();
    String tail = SHORTENED + Base32.hash(whole.toByteArray()) + "/" + last;
    StringBuilder name = new StringBuilder(MAX_PATH_BYTES);
    for (String component : encoded) {
      if (name.length() + component.length() + 1 + tail.length() > MAX_PATH_BYTES) {
        break;
      }
      name.append(component).append('/');
    }
    return name.append(tail).toString();
  }

  static String encodeComponent(byte[] raw) {
    String full = escape(raw);
    if (full.length() <= MAX_COMPONENT_BYTES) {
      return full;
    }
    int cut = MAX_HEAD_BYTES;
    while (full.charAt(cut - 1) == '%' || full.charAt(cut - 2) == '%') {
      cut--;
    }
    return full.substring(0, cut) + SHORTENED + Base32.hash(raw);
  }

  private static String escape(byte[] raw) {
    String text = new String(raw, StandardCharsets.ISO_8859_1);
    boolean dots = text.equals(".") || text.equals("..");
    boolean first = StreamId.isValid(text);
    StringBuilder escaped = new StringBuilder(raw.length);
    for (int at = 0; at < raw.length; at++) {
      char c = text.charAt(at);
      if (isPlain(c) && !dots && !(first && at == 0)) {
        escaped.append(c);
      } else {
        escaped.append('%').append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 0xf));
      }
    }
    return escaped.toString();
  }

  private static boolean isPlain(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || PLAIN.indexOf(c) >= 0;
  }

  /** Decodes a path; returns empty if {@link #encode} cannot have written these components. */
  static Optional<Decoded> decode(List<String> components) {
    ByteArrayOutputStream path = new ByteArrayOutputStream();
    boolean shortened = false;
    int last = components.size() - 1;
    for (int at = 0; at <= last; at++) {
      String component = components.get(at);
      int mark = component.indexOf(SHORTENED);
      byte[] raw;
      if (mark < 0) {
        raw = unescape(component);
      } else if (isShortened(component, mark)
          && (mark > 0 ? mark >= MIN_HEAD_BYTES : at == last - 1)) {
        shortened = true;
        byte[] head = unescape(component.substring(0, mark));
        raw = head == null ? null : concatenate(head, component.substring(mark));
      } else {
        raw = null;
      }
      if (raw == null || raw.length == 0 || component.length() > MAX_COMPONENT_BYTES) {
        return Optional.empty();
      }
      path.write('/');
      path.writeBytes(raw);
    }
    if (components.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(new Decoded(PosixPath.of(path.toByteArray()), shortened));
  }

  private static boolean isShortened(String component, int mark) {
    return component.length() == mark + 1 + Base32.HASH_CHARACTERS
        && Base32.isBase32(component, mark + 1, component.length());
  }

  private static byte[] concatenate(byte[] head, String tail) {
    byte[] tailBytes = tail.getBytes(StandardCharsets.US_ASCII);
    byte[] joined = Arrays.copyOf(head, head.length + tailBytes.length);
    System.arraycopy(tailBytes, 0, joined, head.length, tailBytes.length);
    return joined;
  }

  private static byte @Nullable [] unescape(String component) {
    ByteArrayOutputStream raw = new ByteArrayOutputStream(component.length());
    for (int at = 0; at < component.length(); at++) {
      char c = component.charAt(at);
      if (c != '%') {
        raw.write(c);
        continue;
      }
      int high = at + 2 < component.length() ? HEX.indexOf(component.charAt(at + 1)) : -1;
      int low = high < 0 ? -1 : HEX.indexOf(component.charAt(at + 2));
      if (low < 0) {
        return null;
      }
      raw.write(high << 4 | low);
      at += 2;
    }
    byte[] bytes = raw.toByteArray();
    // Each path has only one name, so accept only what escape() writes.
    boolean ours = escape(bytes).equals(component) && !contains(bytes, 0) && !contains(bytes, '/');
    return ours ? bytes : null;
  }

  private static boolean contains(byte[] bytes, int wanted) {
    for (byte b : bytes) {
      if (b == wanted) {
        return true;
      }
    }
    return false;
  }
}
