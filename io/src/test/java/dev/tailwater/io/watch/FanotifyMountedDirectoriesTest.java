package dev.tailwater.io.watch;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The same as {@link MountedDirectoriesTest} from fanotify, whose marks are on file systems. */
final class FanotifyMountedDirectoriesTest extends MountedDirectoriesTest {
  @TempDir private Path directory;

  @BeforeEach
  void assumePermitted() throws IOException {
    Fanotify.assumePermitted(calls, directory);
  }

  @Override
  WatchOptions options() {
    return super.options().withNotification(NotificationMethod.FANOTIFY);
  }
}
