package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.posix.testkit.TestFileSystems;
import java.io.IOException;
import java.nio.file.Path;

/** A directory that is also at another path; the test is skipped where it may not be mounted. */
record BindMount(Path at) implements AutoCloseable {
  static BindMount of(Path directory, Path at) throws IOException {
    assumeTrue(TestFileSystems.isRoot(), "only root may mount a directory at another place");
    int exit = run("mount", "--bind", directory.toString(), at.toString());
    assumeTrue(exit == 0, "mount --bind is not permitted");
    return new BindMount(at);
  }

  private static int run(String... command) throws IOException {
    try {
      return new ProcessBuilder(command).inheritIO().start().waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Override
  public void close() throws IOException {
    run("umount", "--lazy", at.toString());
  }
}
