package dev.tailwater.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.age.KeyPair;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The settings {@code content_check} and {@code content_check_key_file}. */
class ContentCheckCommandsTest {
  private static final String SECRET = "GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZ";

  @TempDir private Path directory;
  private String recipient = "";

  @BeforeEach
  void makeFiles() throws IOException {
    recipient = KeyPair.generate(new SecureRandom()).recipient().text();
    Files.createDirectories(directory.resolve("logs"));
    Files.writeString(directory.resolve("logs/a.log"), "first\n");
  }

  private void key(String content, String permissions) throws IOException {
    Path key = Files.writeString(directory.resolve("check.key"), content);
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString(permissions));
  }

  private void config(String settings) throws IOException {
    Files.writeString(
        directory.resolve("c.yaml"),
        "sources: logs\ndestination: archive\nencrypt_to: " + recipient + "\n" + settings);
  }

  private Trial run(int exitCode, String command) {
    Trial trial = Trial.run(directory, command.split(" "));
    assertEquals(exitCode, trial.exitCode(), trial.err());
    assertFalse((trial.err() + trial.out()).contains(SECRET.substring(0, 8)), trial.err());
    return trial;
  }

  @ParameterizedTest
  @CsvSource({
    SECRET + ", rw-r--r--, can be read or written by others",
    SECRET + "X, rw-------, has 33 bytes instead of 32",
    "short, rw-------, has 5 bytes instead of 32",
  })
  void checkAndShipSayWhatIsWrongWithTheKeyFile(String content, String permissions, String why)
      throws IOException {
    key(content, permissions);
    config("content_check_key_file: check.key\n");
    Trial check = run(2, "check c.yaml");
    assertTrue(check.err().startsWith("c.yaml:4:25: content_check_key_file: "), check.err());
    assertTrue(check.err().contains(why), check.err());
    assertTrue(check.err().contains(directory.resolve("check.key").toString()), check.err());
    run(2, "ship --once --config c.yaml --state s");
    Trial ship =
        run(
            2,
            "ship --once --state s --encrypt-to "
                + recipient
                + " --content-check-key-file check.key logs archive");
    assertTrue(ship.err().contains(why), ship.err());
  }

  @Test
  void aKeyFileMustBeAFile() throws IOException {
    config("content_check_key_file: absent\n");
    assertTrue(run(2, "check c.yaml").err().contains("absent: no such file"));
    config("content_check_key_file: logs\n");
    assertTrue(run(2, "check c.yaml").err().contains("is not a regular file"));
  }

  @Test
  void aKeyForNoCheckIsAContradiction() throws IOException {
    key(SECRET, "rw-------");
    config("content_check: off\ncontent_check_key_file: check.key\n");
    assertTrue(run(2, "check c.yaml").err().contains("c.yaml:5:1: content_check_key_file names"));
    config("content_check: maybe\n");
    assertTrue(run(2, "check c.yaml").err().contains("expected on or off, not 'maybe'"));
  }

  @Test
  void theKeySurvivesALostStateAndComparesTheArchiveWithItsFiles() throws IOException {
    key(SECRET, "rw-------");
    config("content_check_key_file: check.key\n");
    run(0, "check c.yaml");
    run(0, "ship --once --config c.yaml --agent web --state s");
    run(0, "ship --once --config c.yaml --agent web --state another");
    Trial same = run(0, "verify archive --against logs --content-check-key-file check.key");
    assertTrue(same.err().contains("1 of 1"), same.err());
    Trial without = run(1, "verify archive --against logs");
    assertTrue(without.err().contains("--identity"), without.err());
    assertTrue(without.err().contains("or, on the machine that ships,"), without.err());
    Files.writeString(directory.resolve("logs/a.log"), "f1rst\n");
    run(1, "verify archive --against logs --content-check-key-file check.key");
  }

  @Test
  void theKeyOfTheStateComparesToo() throws IOException {
    config("");
    run(0, "ship --once --config c.yaml --state s");
    run(0, "verify archive --against logs --content-check-key-file s/content-check.key");
    run(2, "verify archive --against logs --content-check-key-file absent");
  }
}
