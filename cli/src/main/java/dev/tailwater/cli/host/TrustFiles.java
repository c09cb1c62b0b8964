package dev.tailwater.cli.host;

import dev.tailwater.archive.age.KeyFile;
import dev.tailwater.archive.sign.Trust;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.function.BiFunction;

/** Files of public keys that the user names. */
public final class TrustFiles {
  /** What a line of such a file is, for the user. */
  public static final String HINT =
      "a public key is ed25519:...; a line of a file is 'AGENT KEY' or 'compactor NAME KEY'."
          + " The first line of an agent's signing.key tells its key, and 'tailwater status' while it runs";

  private TrustFiles() {}

  /** Reads the keys that an agent believes beside its own; fails as the other method does. */
  public static Trust readTrustedKeys(String path, Surroundings surroundings) {
    return read("trusted keys ", path, surroundings, Trust::parseAny);
  }

  /**
   * Reads the keys in a file; fails with a message for the user.
   *
   * @param what how messages begin, before the name of the file
   * @param parser parses its content, of which it is told the name of the file first
   */
  public static Trust read(
      String what,
      String path,
      Surroundings surroundings,
      BiFunction<String, String, Trust> parser) {
    PathArgument argument = new PathArgument(surroundings, LinuxFileCalls.create());
    try {
      return parser.apply(path, KeyFile.content(argument.absolute(path).toPath()));
    } catch (NoSuchFileException e) {
      throw UserException.usage(what + path + ": no such file", HINT);
    } catch (IOException e) {
      throw UserException.usage(what + path + " cannot be read: " + Printable.reason(e), HINT);
    } catch (IllegalArgumentException e) {
      throw UserException.usage(what + e.getMessage(), HINT);
    }
  }
}
