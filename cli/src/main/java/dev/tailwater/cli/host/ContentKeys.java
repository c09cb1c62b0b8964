package dev.tailwater.cli.host;

import dev.tailwater.archive.age.ContentKey;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.delivery.checkpoint.ContentKeyFile;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.io.IOException;

/** Content keys in files that the user names. */
public final class ContentKeys {
  private static final String HINT =
      "head -c "
          + ContentKey.KEY_BYTES
          + " /dev/urandom > FILE && chmod 600 FILE; the agent's own key is "
          + ContentKeyFile.NAME
          + " in its state directory";

  private ContentKeys() {}

  /** Reads the key in a file; fails with a message for the user, which never shows the key. */
  public static ContentKey read(String path, Surroundings surroundings) {
    PathArgument argument = new PathArgument(surroundings, LinuxFileCalls.create());
    try {
      return ContentKeyFile.read(LinuxFileCalls.create(), argument.absolute(path));
    } catch (ErrnoException e) {
      throw UserException.usage(
          e.errno() == Errno.ENOENT
              ? "content key " + path + ": no such file"
              : "content key " + path + " cannot be read: " + e.getMessage(),
          HINT);
    } catch (IOException e) {
      throw UserException.usage(String.valueOf(e.getMessage()), HINT);
    }
  }
}
