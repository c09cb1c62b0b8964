package dev.tailwater.posix;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A Linux path: bytes without NUL, whatever their encoding. Java's own {@code Path} cannot hold a
 * name that is not valid in the JVM's encoding, and such files must be delivered too. Immutable.
 *
 * <p>Methods work on the bytes alone and ask no file system. Only {@link #normalized} changes
 * anything that the caller wrote: elsewhere {@code a//b} and {@code a/b} are two paths.
 */
public final class PosixPath implements Comparable<PosixPath> {
  /** No bytes at all: with some calls, the descriptor itself. */
  public static final PosixPath EMPTY = new PosixPath(new byte[0]);

  private final byte[] bytes;

  private PosixPath(byte[] bytes) {
    this.bytes = bytes;
  }

  /** A path of these bytes; {@link IllegalArgumentException} when one of them is NUL. */
  public static PosixPath of(byte[] bytes) {
    for (byte b : bytes) {
      if (b == 0) {
        throw new IllegalArgumentException("a path cannot contain a NUL byte");
      }
    }
    return new PosixPath(bytes.clone());
  }

  /** The text as UTF-8. */
  public static PosixPath of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /** The text of a JVM path, so only right for one that the JVM could decode. */
  public static PosixPath of(Path path) {
    return of(path.toString());
  }

  /** This path, a slash, and the other; the other alone when it is absolute. */
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

  /** As {@link #resolve(PosixPath)}. */
  public PosixPath resolve(String other) {
    return resolve(of(other));
  }

  /** Whether it starts with a slash. */
  public boolean isAbsolute() {
    return bytes.length > 0 && bytes[0] == '/';
  }

  /** Whether it is {@link #EMPTY}. */
  public boolean isEmpty() {
    return bytes.length == 0;
  }

  /** The part behind the last slash: empty for {@code /} and for a path that ends in a slash. */
  public PosixPath fileName() {
    int slash = lastSlash();
    return slash < 0 ? this : new PosixPath(Arrays.copyOfRange(bytes, slash + 1, bytes.length));
  }

  /** The part before the last slash: empty for a bare name, {@code /} for a child of the root. */
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
   * The same place written in the shortest way: without repeated slashes, slashes at the end and
   * components {@code .}; {@code .} itself when nothing is left. Components {@code ..} stay, since
   * what they mean depends on symbolic links.
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

  /** Whether this path is the other or lies below it, by names alone. */
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

  /** The number of bytes, without the NUL that C adds. */
  public int lengthBytes() {
    return bytes.length;
  }

  /** Copies the first bytes to native memory. */
  public void copyTo(MemorySegment target, int lengthBytes) {
    MemorySegment.copy(bytes, 0, target, ValueLayout.JAVA_BYTE, 0, lengthBytes);
  }

  /** A copy of the bytes. */
  public byte[] toBytes() {
    return bytes.clone();
  }

  /**
   * For a JVM API; the text of {@link #toString()}, so only right for valid UTF-8, in a JVM whose
   * {@code sun.jnu.encoding} is UTF-8.
   */
  public Path toPath() {
    return Path.of(toString());
  }

  /** By unsigned bytes. */
  @Override
  public int compareTo(PosixPath other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PosixPath path && Arrays.equals(bytes, path.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** As UTF-8, with a replacement character for what is not. */
  @Override
  public String toString() {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
