package dev.tailwater.posix.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Files that a failed test keeps for inspection. */
public final class Evidence {
  private Evidence() {}

  /**
   * Copies a tree, whose file system disappears with the test, into the directory that {@code
   * -Dtailwater.evidence=DIRECTORY} names. Does nothing without this property.
   */
  public static void keep(Path tree) throws IOException {
    String directory = System.getProperty("tailwater.evidence", "");
    if (directory.isEmpty()) {
      return;
    }
    Path all = Files.createDirectories(Path.of(directory));
    Path target = Files.createTempDirectory(all, "evidence");
    Command.run(List.of("cp", "-a", "--sparse=always", tree.toString(), target.toString()))
        .requireSuccess();
  }
}
