package dev.tailwater.restore.name;

import dev.tailwater.posix.PosixPath;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The name of a file that is not complete yet: {@code .tailwater-<hash of the stream>.partial}. A
 * stream always gets the same one, so that a later run finds what an interrupted one left.
 */
public final class PartialName {
  private static final String PREFIX = ".tailwater-";
  private static final String SUFFIX = ".partial";

  private PartialName() {}

  /** Whether a name from an archive looks like one of these files. */
  public static boolean isReserved(PosixPath name) {
    String text = name.decoded();
    return text.startsWith(PREFIX) && text.endsWith(SUFFIX);
  }

  /**
   * Returns the name of a stream's file.
   *
   * @param streamPrefix what the names of the stream's objects start with
   */
  public static PosixPath nameOf(String streamPrefix) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest(streamPrefix.getBytes(StandardCharsets.UTF_8));
      return PosixPath.of(PREFIX + HexFormat.of().formatHex(hash, 0, 16) + SUFFIX);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }
}
