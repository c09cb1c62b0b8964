package dev.tailwater.delivery.checkpoint;

import dev.tailwater.archive.age.ContentKey;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.Arrays;

/** A file that holds a {@link ContentKey}: its bytes and nothing else. */
public final class ContentKeyFile {
  /** The file in the state directory. */
  public static final PosixPath NAME = PosixPath.of("content-check.key");

  /** What is longer is not read at all; the message tells the length of what is shorter. */
  private static final int MAX_FILE_BYTES = 4096;

  private ContentKeyFile() {}

  /** Thrown when a file cannot serve as a key. The message says why and what to do. */
  public static final class UnfitException extends IOException {
    private static final long serialVersionUID = 1L;

    UnfitException(PosixPath path, String why) {
      super("content key " + path + " " + why);
    }
  }

  /**
   * Reads a key that exists.
   *
   * @throws UnfitException when it is no regular file, has another length, or somebody else than
   *     its owner can read or write it
   * @throws IOException when it cannot be read
   */
  public static ContentKey read(FileCalls calls, PosixPath path) throws IOException {
    byte[] bytes;
    try {
      bytes = SecretFile.read(calls, path, MAX_FILE_BYTES);
    } catch (SecretFile.UnfitException e) {
      throw new UnfitException(path, String.valueOf(e.getMessage()));
    }
    if (bytes.length != ContentKey.KEY_BYTES) {
      throw new UnfitException(
          path,
          "has "
              + bytes.length
              + " bytes instead of "
              + ContentKey.KEY_BYTES
              + ": make one with 'head -c "
              + ContentKey.KEY_BYTES
              + " /dev/urandom'");
    }
    return ContentKey.of(bytes);
  }

  /** Reads the key in a state directory; makes a random one there if there is none. */
  public static ContentKey readOrCreate(
      FileCalls calls, PosixPath stateDirectory, SecureRandom random) throws IOException {
    try {
      return read(calls, stateDirectory.resolve(NAME));
    } catch (ErrnoException e) {
      if (e.errno() != Errno.ENOENT) {
        throw e;
      }
    }
    byte[] bytes = ContentKey.generate(random);
    SecretFile.create(calls, stateDirectory, NAME, bytes);
    Arrays.fill(bytes, (byte) 0);
    return read(calls, stateDirectory.resolve(NAME));
  }
}
