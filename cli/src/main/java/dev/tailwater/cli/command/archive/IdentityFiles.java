package dev.tailwater.cli.command.archive;

import dev.tailwater.archive.age.Identity;
import dev.tailwater.archive.age.IdentityFile;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.cli.value.Printable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;

/** The files that {@code --identity} names. */
final class IdentityFiles {
  private static final String HINT = "it is the file that 'tailwater keygen' wrote";

  private IdentityFiles() {}

  /** Reads private keys. */
  static List<Identity> read(List<String> files, Surroundings surroundings) throws IOException {
    List<Identity> identities = new ArrayList<>();
    for (String file : files) {
      try {
        identities.addAll(IdentityFile.read(surroundings.absolute(file)));
      } catch (NoSuchFileException e) {
        throw UserException.usage("--identity " + file + ": no such file", HINT);
      } catch (IOException e) {
        throw UserException.usage(
            "--identity " + file + " cannot be read: " + Printable.reason(e), HINT);
      }
    }
    return identities;
  }
}
