package dev.tailwater.cli.command;

import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.outcome.UserException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
    description = "Make a new age key pair, and print the private key or write it to a new file.",
    footer = {
      "",
      "Keep the private key away from the machines that ship: they need only the public"
          + " key (--encrypt-to)."
    })
final class KeygenCommand implements Callable<Integer> {
  private final Surroundings surroundings;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write the private key to a new file that only its owner can read.")
  private String output = "";

  KeygenCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws IOException {
    KeyPair pair = KeyPair.generate(new SecureRandom());
    String text = pair.toFileText(Instant.now());
    if (output.isEmpty()) {
      surroundings.out().print(text);
    } else {
      write(surroundings.absolute(output), text);
    }
    surroundings.err().println("Public key: " + pair.recipient().text());
    return ExitCode.DONE.number();
  }

  private void write(Path file, String text) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
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
