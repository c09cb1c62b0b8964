package dev.tailwater.archive.manifest;

import dev.tailwater.archive.ArchiveException;
import dev.tailwater.archive.NoIdentityException;
import dev.tailwater.archive.UnsupportedFormatException;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.open.PackOpener;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * The beginning of a pack, as far as {@link PackOpener} wants to see it. A copy of it is as good as
 * the pack itself for everybody who only wants to know what the pack holds.
 *
 * @param objectBytes the length of the whole pack
 * @param bytes its first {@link PackOpener#wantedBytes}, or all of it if it is shorter
 */
public record PackFront(
    PackName name, long objectBytes, @SuppressWarnings("ArrayRecordComponent") byte[] bytes) {
  public PackFront {
    if (bytes.length != lengthBytes(name, objectBytes)) {
      throw new IllegalArgumentException(
          bytes.length + " bytes of " + name.key() + ", which has " + objectBytes);
    }
  }

  /**
   * Copies the front of a pack.
   *
   * @param object the whole object; not changed
   */
  public static PackFront of(PackName name, ByteBuffer object) {
    byte[] bytes = new byte[lengthBytes(name, object.remaining())];
    object.slice().get(bytes);
    return new PackFront(name, object.remaining(), bytes);
  }

  /** The same; empty if the front is more than half of the pack, and not worth a copy. */
  public static Optional<PackFront> ifShort(PackName name, ByteBuffer object) {
    return isShort(name, object.remaining()) ? Optional.of(of(name, object)) : Optional.empty();
  }

  /** Returns whether the front of a pack is at most half of it. */
  public static boolean isShort(PackName name, long objectBytes) {
    return 2L * lengthBytes(name, objectBytes) <= objectBytes;
  }

  /** Returns the length of the front of a pack. */
  public static int lengthBytes(PackName name, long objectBytes) {
    return (int) Math.min(objectBytes, PackOpener.wantedBytes(name));
  }

  /**
   * Returns whether a reader would use the copy, as far as that shows without an identity: it is
   * what a sealer writes under this name and, where signatures are checked, has one that counts.
   */
  public boolean isSound(PackOpener opener) {
    try {
      return opener.open(name, read(), List.of()).objectBytes() == objectBytes;
    } catch (NoIdentityException | UnsupportedFormatException e) {
      return true; // Whoever can read it decides.
    } catch (ArchiveException e) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException("reading from memory does not fail", e);
    }
  }

  /** Returns the bytes as {@link PackOpener} reads them. */
  public InputStream read() {
    return new ByteArrayInputStream(bytes);
  }
}
