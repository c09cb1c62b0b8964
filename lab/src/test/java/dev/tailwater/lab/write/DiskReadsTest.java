package dev.tailwater.lab.write;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.lab.measure.PageCaches;
import dev.tailwater.lab.measure.RandomFile;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.MountedFileSystem;
import dev.tailwater.posix.testkit.TestFileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DiskReadsTest {
  private final FileCalls calls = LinuxFileCalls.create();

  @TempDir private Path directory = Path.of("");

  @Test
  void saysNothingWhereReadsDoNotComeToTheAccount() throws Exception {
    try (MountedFileSystem tmpfs = TestFileSystems.tmpfs(4 << 20)) {
      DiskReads.Counter counter = DiskReads.ofThisThread(calls, tmpfs.root());

      assertEquals(OptionalLong.empty(), counter.now().bytes());
      assertEquals(List.of(), TestLaboratory.left(tmpfs.root()));
    }
  }

  @Test
  void countsWhatThisThreadReadsFromADisk() throws Exception {
    assumeTrue(TestFileSystems.isRoot(), "only root may mount a file system");
    try (MountedFileSystem ext4 = TestFileSystems.ext4Below(directory, 32 << 20, 4096)) {
      DiskReads.Counter counter = DiskReads.ofThisThread(calls, ext4.root());
      Path file = ext4.root().resolve("file");
      RandomFile.write(file, 1 << 20, new SplittableRandom(1));
      ext4.remountReadOnly();
      PageCaches.drop(ext4.root());
      DiskReads before = counter.now();

      assertEquals(1 << 20, Files.readAllBytes(file).length);

      assertTrue(counter.now().since(before).bytes().orElse(0) >= 1 << 20);
    }
  }
}
