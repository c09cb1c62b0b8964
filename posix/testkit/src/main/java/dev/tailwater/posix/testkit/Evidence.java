package dev.tailwater.posix.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What a test that failed leaves for people to look at. */
public final class Evidence {
  private Evidence() {}

  /**
   * Copies a tree whose file system goes away with the test into the directory that {@code
   * -Dtailwater.evidence=DIRECTORY} names. Nothing is kept without it.
   */
  public static void keep(Path tree) throws IOException {
    String directory = System.getProperty("tailwater.evidence", "");
    if (directory.isEmpty()) {
      return;
    }
    Path target = Files.createTempDirectory(Path.of(directory), "evidence");
    Command.run(List.of("cp", "-a", "--sparse=always", tree.toString(), target.toString()))
        .requireSuccess();
  }
}
