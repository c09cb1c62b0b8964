package dev.tailwater.cli.host;

import dev.tailwater.archive.sign.Trust;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.function.BiFunction;

/** Files of public keys that the user names. */
public final class TrustFiles {
  /** What a line of such a file is, for the user. */
  public static final String HINT =
      "a public key is ed25519:...; a line of a file is 'AGENT KEY' or 'compactor NAME KEY'."
          + " 'tailwater status' and the agent's first lines tell its key";

  private static final int MAX_FILE_BYTES = 1 << 20;

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
    try (InputStream in = Files.newInputStream(argument.absolute(path).toPath())) {
      byte[] bytes = in.readNBytes(MAX_FILE_BYTES + 1);
      if (bytes.length > MAX_FILE_BYTES) {
        throw UserException.usage(what + path + " is longer than 1 MiB", HINT);
      }
      return parser.apply(path, new String(bytes, StandardCharsets.UTF_8));
    } catch (NoSuchFileException e) {
      throw UserException.usage(what + path + ": no such file", HINT);
    } catch (IOException e) {
      throw UserException.usage(what + path + " cannot be read: " + Printable.reason(e), HINT);
    } catch (IllegalArgumentException e) {
      throw UserException.usage(what + e.getMessage(), HINT);
    }
  }
}
