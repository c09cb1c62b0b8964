package dev.tailwater.delivery.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.tail.ArchivedNames;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LookedAtFilesTest {
  private static final FileCalls CALLS = LinuxFileCalls.create();

  private final FileRegistry registry = new FileRegistry(List.of());
  private final LookedAtFiles looked = registry.follow();
  private WatchedFile file;

  @BeforeEach
  void open(@TempDir Path base) throws Exception {
    PosixPath path = PosixPath.of(Files.createFile(base.toRealPath().resolve("file")));
    Descriptor open = Descriptor.open(CALLS, FileCalls.AT_FDCWD, path, Set.of(), 0);
    FileIdentity identity = FileIdentity.of(CALLS, open.fd());
    file = new WatchedFile(open, path, identity, new ArchivedNames(List.of()), _ -> {});
    registry.add(file);
  }

  @AfterEach
  void close() throws Exception {
    file.giveUpDescriptor();
  }

  @Test
  void aFileThatLeavesMemoryIsWatchedStill() {
    assertEquals(List.of(file), looked.takeAll());
    registry.leave(file);
    assertTrue(looked.isWatched(file.identity()));
    registry.comeBack(file);
    assertEquals(List.of(file), looked.takeAll());
    registry.remove(file);
    assertFalse(looked.isWatched(file.identity()));
  }

  @Test
  void aFileThatGoesBeforeItIsTakenIsNotToldOf() {
    registry.remove(file);
    assertEquals(List.of(), looked.takeAll());
    assertFalse(looked.isWatched(file.identity()));
  }

  @Test
  void nothingIsRememberedOfAFileThatIsReleased() {
    looked.takeAll();
    looked.release(file.identity());
    assertFalse(looked.isWatched(file.identity()));
  }
}
