package dev.tailwater.posix;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A Linux path: bytes without NUL, in any encoding. Java's own {@code Path} cannot hold a name that
 * is not valid in the JVM's encoding, but such files must be delivered as well. Immutable.
 *
 * <p>All methods work on the bytes only and do not access the file system. Only {@link #normalized}
 * simplifies a path; for all other methods, {@code a//b} and {@code a/b} are different paths.
 */
public final class PosixPath implements Comparable<PosixPath> {
  /** The empty path, which stands for the descriptor itself in some calls. */
  public static final PosixPath EMPTY = new PosixPath(new byte[0]);

  private final byte[] bytes;

  private PosixPath(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Returns the path of these bytes; throws {@link IllegalArgumentException} if one is NUL. */
  public static PosixPath of(byte[] bytes) {
    return of(bytes, 0, bytes.length);
  }

  /** Same as {@link #of(byte[])}, for the bytes from one index up to, not including, another. */
  public static PosixPath of(byte[] bytes, int from, int to) {
    return ofOwned(Arrays.copyOfRange(bytes, from, to));
  }

  private static PosixPath ofOwned(byte[] bytes) {
    for (byte b : bytes) {
      if (b == 0) {
        throw new IllegalArgumentException("a path cannot contain a NUL byte");
      }
    }
    return new PosixPath(bytes);
  }

  /**
   * Same as {@link #of(byte[])}, for bytes in native memory.
   *
   * @throws IndexOutOfBoundsException if they are not all in the segment
   */
  public static PosixPath of(MemorySegment from, long offsetBytes, int lengthBytes) {
    byte[] copy = new byte[lengthBytes];
    MemorySegment.copy(from, ValueLayout.JAVA_BYTE, offsetBytes, copy, 0, lengthBytes);
    return ofOwned(copy);
  }

  /** Returns the path of a text, encoded as UTF-8. */
  public static PosixPath of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the path of a Java path, which must be one that the JVM could decode. */
  public static PosixPath of(Path path) {
    return of(path.toString());
  }

  /** Returns this path, a slash, and the other path; the other path alone if it is absolute. */
  public PosixPath resolve(PosixPath other) {
    if (bytes.length == 0 || other.isAbsolute()) {
      return other;
    }
    if (other.bytes.length == 0) {
      return this;
    }
    boolean slash = bytes[bytes.length - 1] != '/';
    byte[] joined = Arrays.copyOf(bytes, bytes.length + (slash ? 1 : 0) + other.bytes.length);
    if (slash) {
      joined[bytes.length] = '/';
    }
    System.arraycopy(
        other.bytes, 0, joined, joined.length - other.bytes.length, other.bytes.length);
    return new PosixPath(joined);
  }

  /** Same as {@link #resolve(PosixPath)}, for a text in UTF-8. */
  public PosixPath resolve(String other) {
    return resolve(of(other));
  }

  /** Returns whether the path starts with a slash. */
  public boolean isAbsolute() {
    return bytes.length > 0 && bytes[0] == '/';
  }

  /** Returns whether this is the {@linkplain #EMPTY empty} path. */
  public boolean isEmpty() {
    return bytes.length == 0;
  }

  /** Returns whether the path has a name: it is neither empty nor made of slashes alone. */
  public boolean hasName() {
    for (byte b : bytes) {
      if (b != '/') {
        return true;
      }
    }
    return false;
  }

  /** Returns the part after the last slash; empty for {@code /} and after a trailing slash. */
  public PosixPath fileName() {
    int slash = lastSlash();
    return slash < 0 ? this : new PosixPath(Arrays.copyOfRange(bytes, slash + 1, bytes.length));
  }

  /**
   * Returns the part before the last slash; empty for a bare name, {@code /} for a child of the
   * root.
   */
  public PosixPath parent() {
    int slash = lastSlash();
    if (slash < 0) {
      return EMPTY;
    }
    return new PosixPath(Arrays.copyOf(bytes, Math.max(slash, 1)));
  }

  private int lastSlash() {
    int at = bytes.length - 1;
    while (at >= 0 && bytes[at] != '/') {
      at--;
    }
    return at;
  }

  /**
   * Returns the path without repeated or trailing slashes and without components {@code .}; {@code
   * .} itself if nothing is left. Components {@code ..} stay, because their meaning depends on
   * symbolic links.
   */
  public PosixPath normalized() {
    if (bytes.length == 0) {
      return this;
    }
    byte[] kept = new byte[bytes.length + 1];
    int length = 0;
    int at = 0;
    while (at < bytes.length) {
      int end = at;
      while (end < bytes.length && bytes[end] != '/') {
        end++;
      }
      boolean counts = end > at && !(end == at + 1 && bytes[at] == '.');
      if (counts) {
        if (length > 0 || isAbsolute()) {
          kept[length++] = '/';
        }
        System.arraycopy(bytes, at, kept, length, end - at);
        length += end - at;
      }
      at = end + 1;
    }
    if (length == 0) {
      kept[length++] = (byte) (isAbsolute() ? '/' : '.');
    }
    return new PosixPath(Arrays.copyOf(kept, length));
  }

  /** Returns whether this path equals the other or lies below it, judged by names alone. */
  public boolean startsWith(PosixPath other) {
    int length = other.bytes.length;
    if (length > bytes.length || !Arrays.equals(bytes, 0, length, other.bytes, 0, length)) {
      return false;
    }
    return length == bytes.length
        || length == 0
        || other.bytes[length - 1] == '/'
        || bytes[length] == '/';
  }

  /**
   * Returns the path from a directory that it {@linkplain #startsWith starts with}: empty if it is
   * that directory.
   */
  public PosixPath below(PosixPath directory) {
    if (!startsWith(directory)) {
      throw new IllegalArgumentException(this + " is not below " + directory);
    }
    int from = directory.bytes.length;
    while (from < bytes.length && bytes[from] == '/') {
      from++;
    }
    return new PosixPath(Arrays.copyOfRange(bytes, from, bytes.length));
  }

  /** Returns the number of bytes, without the NUL that C adds. */
  public int lengthBytes() {
    return bytes.length;
  }

  /** Returns the byte at an index. */
  public byte byteAt(int index) {
    return bytes[index];
  }

  /** Copies the first bytes to native memory. */
  public void copyTo(MemorySegment target, int lengthBytes) {
    MemorySegment.copy(bytes, 0, target, ValueLayout.JAVA_BYTE, 0, lengthBytes);
  }

  /** Copies all bytes to an array, from an index on. */
  public void copyTo(byte[] target, int at) {
    System.arraycopy(bytes, 0, target, at, bytes.length);
  }

  /** Returns a copy of the bytes. */
  public byte[] toBytes() {
    return bytes.clone();
  }

  /**
   * Returns the bytes decoded as UTF-8, with replacement characters where they are not: to compare
   * with other text, and not to show.
   */
  public String decoded() {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /**
   * Returns the Java path of {@link #decoded()}. It is correct only for valid UTF-8 in a JVM whose
   * {@code sun.jnu.encoding} is UTF-8.
   */
  public Path toPath() {
    return Path.of(decoded());
  }

  /** Compares the paths by their unsigned bytes. */
  @Override
  public int compareTo(PosixPath other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  /**
   * As {@link #compareTo(PosixPath)}, for the path of the bytes of an array between two indexes.
   */
  public int compareTo(byte[] other, int from, int to) {
    return Arrays.compareUnsigned(bytes, 0, bytes.length, other, from, to);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PosixPath path && Arrays.equals(bytes, path.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /**
   * Returns the text of {@link EscapedPath}, so that every message tells which file is meant, and
   * is one line that no name can forge.
   */
  @Override
  public String toString() {
    return EscapedPath.of(this);
  }
}
