package dev.tailwater.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code verify --against} says of files that the archive does not have. */
class VerifyAgainstTest {
  @TempDir private Path directory;

  @BeforeEach
  void ship() throws IOException {
    Files.createDirectories(directory.resolve("src/sub"));
    Files.writeString(directory.resolve("src/a.log"), "first\n");
    Files.writeString(directory.resolve("src/sub/b.log"), "second\n");
    run(0, "ship --once --state s src src/archive");
  }

  private Trial run(int exitCode, String command) {
    Trial trial = Trial.run(directory, command.split(" "));
    assertEquals(exitCode, trial.exitCode(), trial.err());
    return trial;
  }

  private static final String VERIFY = "verify src/archive --against src";

  @Test
  void aFileThatIsInNoArchiveIsNamed() throws IOException {
    assertFalse(run(0, VERIFY).err().contains("not in the archive"));
    Files.writeString(directory.resolve("src/never\nshipped"), "precious");

    Trial trial = run(3, VERIFY);

    assertTrue(trial.err().contains("2 of 2 streams are the same\n"), trial.err());
    assertTrue(trial.err().contains("tailwater: 1 file is not in the archive:\n"), trial.err());
    assertTrue(trial.err().contains("/src/never\\x0ashipped\n"), trial.err());
  }

  @Test
  void manyFilesAreCounted() throws IOException {
    for (int i = 0; i < 23; i++) {
      Files.createFile(directory.resolve("src/sub/" + i));
    }
    Trial trial = run(3, VERIFY);
    assertTrue(trial.err().contains("23 files are not in the archive:\n"), trial.err());
    assertTrue(trial.err().contains("  and 3 more; --json names all\n"), trial.err());

    JsonNode json = new ObjectMapper().readTree(run(3, VERIFY + " --json").out());
    assertEquals("partial", json.path("outcome").asText());
    assertEquals(23, json.path("unarchived").path("files").asInt());
    assertEquals(23, json.path("unarchived").path("first").size());
  }

  @Test
  void onlyAndExcludeRestrictWhatCounts() throws IOException {
    Files.writeString(directory.resolve("src/x.tmp"), "x");
    Files.createDirectories(directory.resolve("src/cache"));
    Files.writeString(directory.resolve("src/cache/y"), "y");

    run(3, VERIFY);
    run(3, VERIFY + " --exclude *.tmp");
    run(0, VERIFY + " --exclude *.tmp --exclude cache");
    run(0, VERIFY + "/. --exclude *.tmp --exclude cache/**");
    run(0, VERIFY + " --only *.log");
    run(3, VERIFY + " --only *.{log,tmp}");
    assertTrue(run(2, VERIFY + " --exclude [").err().contains("--exclude: not a valid glob"));
    assertTrue(run(2, "verify src/archive --exclude *.tmp").err().contains("--against"));
  }

  @Test
  void whereNoFileOfTheArchiveIsItSaysSo() throws IOException {
    Files.createDirectories(directory.resolve("empty"));
    Trial trial = run(3, "verify src/archive --against empty");
    assertTrue(trial.err().contains("0 of 2 streams are the same, 2 not there"), trial.err());
    assertTrue(trial.err().contains("nothing was compared"), trial.err());
  }

  @Test
  void theWholeMachineIsNotSearched() {
    Trial trial = run(0, "verify src/archive --against /");
    assertTrue(trial.err().contains("were not looked for"), trial.err());
  }

  @Test
  void aRestoredDirectoryIsSearchedToo() throws IOException {
    run(0, "restore src/archive out");
    run(0, "verify src/archive --against out");
    Files.writeString(directory.resolve("out/more"), "x");
    run(3, "verify src/archive --against out");
  }
}
