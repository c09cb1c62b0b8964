package dev.tailwater.cli.command.archive;

import dev.tailwater.archive.sign.Trust;
import dev.tailwater.archive.sign.VerifyingKey;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.restore.Authenticity;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The option that says whose signatures count. */
final class TrustOption {
  private static final int MAX_FILE_BYTES = 1 << 20;
  private static final String HINT =
      "a public key is ed25519:...; a line of a file is 'AGENT KEY' or 'compactor NAME KEY'."
          + " 'tailwater status' and the agent's first lines tell its key";

  @Option(
      names = "--trust",
      paramLabel = "KEY|FILE",
      description =
          "Take only what this key has signed (ed25519:...), or what the keys in this file have"
              + " signed, a line 'AGENT KEY' for each agent and 'compactor NAME KEY' for each"
              + " compactor. Name the rest and exit with 3.")
  private Optional<String> trusted = Optional.empty();

  Authenticity authenticity(Surroundings surroundings) throws IOException {
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
    try {
      return new Authenticity(Trust.parse(text, content(text, surroundings.absolute(text))));
    } catch (NoSuchFileException e) {
      throw UserException.usage("--trust: neither a public key nor a file: " + text, HINT);
    } catch (IllegalArgumentException e) {
      throw UserException.usage("--trust: " + e.getMessage(), HINT);
    }
  }

  private static String content(String name, Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_FILE_BYTES + 1);
      if (bytes.length > MAX_FILE_BYTES) {
        throw UserException.usage("--trust: " + name + " is longer than 1 MiB", HINT);
      }
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }
}
