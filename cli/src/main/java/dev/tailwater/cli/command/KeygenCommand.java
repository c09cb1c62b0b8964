package dev.tailwater.cli.command;

import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.archive.sign.SigningKey;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.outcome.UserException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code tailwater keygen}. */
@Command(
    name = "keygen",
    description =
        "Make a new key pair, and print the private key or write it to a new file: an age key pair"
            + " for encryption, or with --signing one for signatures.",
    footer = {
      "",
      "Keep the private age key away from the machines that ship: they need only the public key"
          + " (--encrypt-to). A private signing key belongs to the machine that ships"
          + " (--signing-key-file), and its public key to whoever reads (--trust)."
    })
final class KeygenCommand implements Callable<Integer> {
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");

  private final Surroundings surroundings;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write the private key to a new file that only its owner can read.")
  private String output = "";

  @Option(
      names = "--signing",
      description = "Make a pair for signatures (Ed25519) instead of one for encryption.")
  private boolean signing;

  KeygenCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws IOException {
    String text;
    String publicKey;
    if (signing) {
      SigningKey key = SigningKey.generate(new SecureRandom());
      text = key.toFileText();
      publicKey = key.publicKey().text();
    } else {
      KeyPair pair = KeyPair.generate(new SecureRandom());
      text = pair.toFileText(Instant.now());
      publicKey = pair.recipient().text();
    }
    if (output.isEmpty()) {
      surroundings.out().print(text);
    } else {
      write(surroundings.absolute(output), text);
    }
    surroundings.err().println("Public key: " + publicKey);
    return ExitCode.DONE.number();
  }

  private void write(Path file, String text) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(OWNER_ONLY))) {
      Files.setPosixFilePermissions(file, OWNER_ONLY); // A umask may have taken them away.
      ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    } catch (FileAlreadyExistsException e) {
      throw UserException.failed(
          output + " exists already", "a key is never overwritten: choose another name");
    }
  }
}
