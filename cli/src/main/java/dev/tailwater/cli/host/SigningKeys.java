package dev.tailwater.cli.host;

import dev.tailwater.archive.sign.SigningKey;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.delivery.checkpoint.SigningKeyFile;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.io.IOException;

/** Signing keys in files that the user names. */
public final class SigningKeys {
  private static final String HINT =
      "'tailwater keygen --signing -o FILE' makes a key; the agent's own key is "
          + SigningKeyFile.NAME
          + " in its state directory";

  private SigningKeys() {}

  /** Reads the key in a file; fails with a message for the user, which never shows the key. */
  public static SigningKey read(String path, Surroundings surroundings) {
    PathArgument argument = new PathArgument(surroundings, LinuxFileCalls.create());
    try {
      return SigningKeyFile.read(LinuxFileCalls.create(), argument.absolute(path));
    } catch (ErrnoException e) {
      throw UserException.usage(
          e.errno() == Errno.ENOENT
              ? "signing key " + path + ": no such file"
              : "signing key " + path + " cannot be read: " + e.getMessage(),
          HINT);
    } catch (IOException e) {
      throw UserException.usage(String.valueOf(e.getMessage()), HINT);
    }
  }
}
