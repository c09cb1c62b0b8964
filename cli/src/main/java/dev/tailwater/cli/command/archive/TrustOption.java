package dev.tailwater.cli.command.archive;

import dev.tailwater.archive.sign.Trust;
import dev.tailwater.archive.sign.VerifyingKey;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.host.TrustFiles;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.restore.Authenticity;
import java.nio.file.Files;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The option that says whose signatures count. */
final class TrustOption {
  private static final String HINT = TrustFiles.HINT;

  @Option(
      names = "--trust",
      paramLabel = "KEY|FILE",
      description =
          "Take only what this key has signed (ed25519:...), or what the keys in this file have"
              + " signed, a line 'AGENT KEY' for each agent and 'compactor NAME KEY' for each"
              + " compactor. Name the rest and exit with 3.")
  private Optional<String> trusted = Optional.empty();

  Authenticity authenticity(Surroundings surroundings) {
    if (trusted.isEmpty()) {
      return Authenticity.unchecked();
    }
    String text = trusted.get();
    Optional<VerifyingKey> key = VerifyingKey.parse(text);
    if (key.isPresent()) {
      return new Authenticity(Trust.of(key.get()));
    }
    if (text.startsWith(VerifyingKey.PREFIX)) {
      throw UserException.usage("--trust: not a public key: " + text, HINT);
    }
    if (!Files.exists(surroundings.absolute(text))) {
      throw UserException.usage("--trust: neither a public key nor a file: " + text, HINT);
    }
    return new Authenticity(TrustFiles.read("--trust: ", text, surroundings, Trust::parse));
  }
}
