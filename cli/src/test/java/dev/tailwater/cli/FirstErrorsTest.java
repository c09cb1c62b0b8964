package dev.tailwater.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.cli.host.TrustFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The first error of each kind, as a newcomer meets it: what is wrong, then what to do. */
class FirstErrorsTest {
  @TempDir private Path directory;

  @Test
  void withoutACommandThereIsAPageToBeginWith() {
    Trial trial = Trial.run(directory);
    assertEquals(2, trial.exitCode());
    assertEquals("", trial.out());
    assertEquals(
        """
        Tailwater delivers every byte that is written to files here to a place that stays.

          tailwater init                             look at this machine, write tailwater.yaml
          tailwater ship /var/log/app /mnt/archive   deliver files, until told to stop
          tailwater status                           show what is not delivered yet
          tailwater restore /mnt/archive restored    give the files back

        'tailwater demo' shows it in half a minute; 'tailwater --help' lists all commands.
        """,
        trial.err());
  }

  @ParameterizedTest(name = "tailwater {0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          restroe                | unknown command 'restroe'    | did you mean 'restore'?
          shipp a b              | unknown command 'shipp'      | did you mean 'ship'?
          frobnicate             | unknown command 'frobnicate' | 'tailwater --help' lists the commands
          store gett             | unknown command 'gett'       | did you mean 'get'?
          LS                     | unknown command 'LS'         | did you mean 'ls'?
          ""                     | unknown command ''           | 'tailwater --help' lists the commands
          store put s            | unknown command 'put'        | for example tailwater store stats /var/lib/tailwater; 'tailwater store --help' says how to use it
          -- ls archive          | unknown command 'ls'         | leave the '--' before it out: behind that, nothing is an option or a command; 'tailwater --help' says how to use it
          restore a r -- --jobs  | unknown option '--jobs'      | leave the '--' before it out: behind that, nothing is an option or a command; 'tailwater restore --help' says how to use it
          help --nonsense        | unknown option '--nonsense'  | 'tailwater help --help' says how to use it
          help ship more         | unexpected argument 'more'   | 'tailwater help --help' says how to use it
          help restroe           | unknown command 'restroe' | did you mean 'restore'?
          ship --max-aeg 1s a b  | unknown option '--max-aeg'   | did you mean '--max-age'?
          --verson               | unknown option '--verson'    | did you mean '--version'?
          restore                | DESTINATION and DIR are missing | for example tailwater restore /mnt/archive restored; 'tailwater restore --help' says how to use it
          check                  | CONFIG is missing            | for example tailwater check tailwater.yaml; 'tailwater check --help' says how to use it
          ship --to              | --to needs DESTINATION       | for example tailwater ship /var/log/app /mnt/archive; 'tailwater ship --help' says how to use it
          ship a                 | a source and a destination are needed, there is only 'a' | for example tailwater ship /var/log/app /mnt/archive; 'tailwater ship --help' says how to use it
          drain now              | unexpected argument 'now'    | for example tailwater drain; 'tailwater drain --help' says how to use it
          verify nowhere --owner | --owner has no effect without --against | give --against too, or leave --owner out
          verify nowhere --numeric-owner | --numeric-owner has no effect without --against | give --against too, or leave --numeric-owner out
          verify nowhere --extended-attributes | --extended-attributes has no effect without --against | give --against too, or leave --extended-attributes out
          verify nowhere --content-check-key-file k | --content-check-key-file has no effect without --against | give --against too, or leave --content-check-key-file out
          restore nowhere r --allow-plain | --allow-plain has no effect without --identity | give --identity too, or leave --allow-plain out
          status --timeout 5s a  | --timeout has no effect without --wait | give --wait too, or leave --timeout out
          init --print --overwrite | --print writes no file that --overwrite could replace | leave one of the two out
          probe a --append-only --quick | --append-only leaves out the tests that --quick is about | leave one of the two out
          probe a --append-only --throughput 64MiB | --append-only leaves out the tests that --throughput is about | leave one of the two out
          ls ftp://host/x        | unknown scheme ftp; known: az, file, gs, hdfs, s3 | Name a directory, or a URI with one of these schemes. A path with a colon is written as ./ftp:...
          ls s3://               | nothing follows s3:// | Write the whole name, such as s3://bucket/prefix or file:///backup/archive.
          ls ~/archive           | ~/archive: only a shell replaces ~ by the home directory, and not everywhere | write the whole path, or ./~/archive if it really has this name
          ship --state=~/s a b   | ~/s: only a shell replaces ~ by the home directory, and not everywhere | write the whole path, or ./~/s if it really has this name
          store scan s --limit x | --limit: expected a whole number, not 'x' | 'tailwater store scan --help' says how to use it
          ship --encrypt-to age1xy a b | --encrypt-to: the recipient 'age1xy' is mistyped, cut off or of another kind than X25519 | copy it again; 'tailwater ship --help' says how to use it
          check nosuch.yaml      | nosuch.yaml: no such configuration file | 'tailwater init' writes one; conf/tailwater.yaml of the package shows every key
          completion tcsh        | no completion for the shell 'tcsh' | there is one for bash, zsh, fish
          """)
  void wrongUsageSaysWhatIsWrongAndWhatWasMeant(String arguments, String message, String hint) {
    Trial trial = Trial.run(directory, arguments.split(" "));
    assertEquals(2, trial.exitCode(), trial.err());
    assertEquals("tailwater: " + message + "\nHint: " + hint + "\n", trial.err());
    assertEquals("", trial.out());
  }

  @Test
  void aSourceThatIsNotThereIsNamed() {
    Trial trial = Trial.run(directory, "ship", "--once", "--state", "s", "nosuch", "archive");
    assertEquals(1, trial.exitCode());
    assertEquals(
        """
        tailwater: source %s/nosuch does not exist; it is left out
        tailwater: nothing was shipped: there is no source
        Hint: check the paths of the sources
        """
            .formatted(directory),
        trial.err());
  }

  @ParameterizedTest(name = "tailwater {0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ship --once --state file logs archive | DIR/file is there already | check the path, and what is there: ls -ld PATH
          restore archive loop                  | open DIR/loop: ELOOP (Too many levels of symbolic links) | check the path, and what is there: ls -ld PATH
          keygen -o file/key                    | DIR/file/key: Not a directory | check the path, and what is there: ls -ld PATH
          verify archive --identity logs        | --identity logs cannot be read: Is a directory | it is the file that 'tailwater keygen' wrote
          verify archive --identity fifo        | DIR/fifo: not a file of keys but a device, pipe or socket | KEYS
          ship --state s2 --encrypt-to fifo logs archive | DIR/fifo: not a file of keys but a device, pipe or socket | KEYS
          verify archive --trust fifo           | --trust: DIR/fifo: not a file of keys but a device, pipe or socket | TRUST
          verify archive --identity /dev/zero   | /dev/zero: not a file of keys but a device, pipe or socket | KEYS
          verify archive --identity empty       | DIR/empty: there is no key in this file | KEYS
          verify archive --identity public      | DIR/public, line 1: this is a public key, where a private key (AGE-SECRET-KEY-......) is wanted | KEYS
          verify archive --identity long        | DIR/long: longer than 1 MiB, this is no key file | KEYS
          compact archive --signing-key-file fifo --trust trusted | signing key DIR/fifo is not a regular file | SIGNING
          check long                            | long: longer than 1 MiB, which is too long for a file of settings | HEAD
          estimate --rate 1,1 --prices long good.yaml | long: longer than 1 MiB, which is too long for a file of settings | HEAD
          store import other logs               | logs is a directory | name the file of 'store export'
          """)
  void aPlaceThatIsNoneIsNamedAndSaysWhy(String arguments, String message, String hint)
      throws Exception {
    Files.createDirectory(directory.resolve("logs"));
    Files.writeString(directory.resolve("logs/a.log"), "text\n");
    Files.writeString(directory.resolve("file"), "text\n");
    Files.createSymbolicLink(directory.resolve("loop"), Path.of("loop"));
    Files.writeString(directory.resolve("empty"), "# none\n");
    Files.writeString(directory.resolve("public"), "age1" + "q".repeat(58) + "\n");
    Files.writeString(directory.resolve("good.yaml"), "sources: logs\ndestination: archive\n");
    Files.write(directory.resolve("long"), new byte[(1 << 20) + 1]);
    Files.writeString(directory.resolve("trusted"), "* ed25519:" + "A".repeat(43) + "\n");
    assertEquals(0, makePipe(directory.resolve("fifo")));
    Trial.run(directory, "ship", "--once", "--state", "s", "logs", "archive");
    Trial trial =
        assertTimeoutPreemptively(
            Duration.ofSeconds(60), () -> Trial.run(directory, arguments.split(" ")));
    String said = message.replace("DIR", directory.toString());
    String helps = HINTS.getOrDefault(hint, hint);
    assertEquals("tailwater: " + said + "\nHint: " + helps + "\n", trial.err());
  }

  /** Hints that several errors have. */
  private static final Map<String, String> HINTS =
      Map.of(
          "KEYS",
          "each line of a file of private keys begins with AGE-SECRET-KEY, of public keys with age1;"
              + " 'tailwater keygen -o FILE' makes a file of the first kind, and tells its public key",
          "TRUST",
          TrustFiles.HINT,
          "HEAD",
          "'head long' shows what it is instead",
          "SIGNING",
          "'tailwater keygen --signing -o FILE' makes a key; the agent's own key is signing.key in"
              + " its state directory");

  private static int makePipe(Path path) throws IOException, InterruptedException {
    return new ProcessBuilder("mkfifo", path.toString()).start().waitFor();
  }

  @Test
  void aKeyThatOthersCanReadSaysWhatToDo() throws IOException {
    Files.createDirectory(directory.resolve("logs"));
    Files.writeString(directory.resolve("logs/a.log"), "text\n");
    String[] ship = {"ship", "--once", "--state", "s", "logs", "archive"};
    Trial.run(directory, ship);
    Path key = directory.resolve("s/signing.key");
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
    Trial open = Trial.run(directory, ship);
    assertEquals(1, open.exitCode(), open.err());
    assertTrue(open.err().contains("Hint: 'chmod 600 FILE' if nobody else can"), open.err());
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    Files.writeString(key, "broken\n");
    Trial broken = Trial.run(directory, ship);
    assertTrue(broken.err().contains("the next start makes a new key"), broken.err());
    Files.delete(key);
    assertEquals(0, Trial.run(directory, ship).exitCode());
  }
}
