package dev.tailwater.delivery.checkpoint;

import dev.tailwater.archive.sign.SigningKey;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;

/** A file that holds a {@link SigningKey}. */
public final class SigningKeyFile {
  /** The file in the state directory. */
  public static final PosixPath NAME = PosixPath.of("signing.key");

  private SigningKeyFile() {}

  /** Thrown when a file cannot serve as a key. The message says why and what to do. */
  public static final class UnfitException extends IOException {
    private static final long serialVersionUID = 1L;

    UnfitException(PosixPath path, String why) {
      super("signing key " + path + " " + why);
    }
  }

  /**
   * Reads a key that exists.
   *
   * @throws UnfitException when it holds no key, or somebody else than its owner can read or write
   *     it
   * @throws IOException when it cannot be read
   */
  public static SigningKey read(FileCalls calls, PosixPath path) throws IOException {
    try {
      byte[] bytes = SecretFile.read(calls, path, SigningKey.MAX_FILE_BYTES);
      return SigningKey.parse(new String(bytes, StandardCharsets.US_ASCII));
    } catch (SecretFile.UnfitException | IllegalArgumentException e) {
      throw new UnfitException(path, String.valueOf(e.getMessage()));
    }
  }

  /** Reads the key in a state directory; makes a new one there if there is none. */
  public static SigningKey readOrCreate(
      FileCalls calls, PosixPath stateDirectory, SecureRandom random) throws IOException {
    try {
      return read(calls, stateDirectory.resolve(NAME));
    } catch (ErrnoException e) {
      if (e.errno() != Errno.ENOENT) {
        throw e;
      }
    }
    byte[] text = SigningKey.generate(random).toFileText().getBytes(StandardCharsets.US_ASCII);
    SecretFile.create(calls, stateDirectory, NAME, text);
    Arrays.fill(text, (byte) 0);
    return read(calls, stateDirectory.resolve(NAME));
  }
}
