package dev.tailwater.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * A JVM that writes a start-up cache at once, for tests of when the launcher asks for one and where
 * it puts it: making one takes a processor fifteen seconds. The cache is of no use, which a JVM
 * passes over silently. All else is left to the real JVM.
 */
final class QuickCacheJvm {
  private QuickCacheJvm() {}

  /**
   * Returns its home, for {@code TAILWATER_JAVA_HOME}.
   *
   * @param home a directory that does not exist yet
   */
  static Path in(Path home) throws IOException {
    Path real = Path.of(System.getProperty("java.home"));
    Path java = home.resolve("bin/java");
    Files.createDirectories(java.getParent());
    Files.writeString(
        java,
        """
        #!/bin/sh
        for option; do
          case "$option" in -XX:AOTCacheOutput=*) exec head -c 2M /dev/zero > "${option#*=}" ;; esac
        done
        exec '%s' "$@"
        """
            .formatted(real.resolve("bin/java")));
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.copy(real.resolve("release"), home.resolve("release"));
    return home;
  }
}
