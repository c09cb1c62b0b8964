package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.github.luben.zstd.ZstdInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent is killed while it finds files for the first time, of which its state says nothing. */
class FirstScanKilledTest {
  private static final int FILES = 8_000;
  private static final int KILLS = 2;

  @TempDir private Path directory;

  @Test
  void eachByteIsInTheArchiveOnceThoughTheFirstScanNeverEnded() throws Exception {
    try (Site site = new Site(directory)) {
      long writtenBytes = 0;
      for (int i = 0; i < FILES; i++) {
        Path file = site.logs().resolve("d" + i % 100).resolve("f" + i);
        Files.createDirectories(file.getParent());
        Files.writeString(file, ("file " + i + "\n").repeat(1 + i % 20));
        writtenBytes += Files.size(file);
      }
      for (int kill = 1; kill <= KILLS; kill++) {
        int before = objects(site);
        Process agent = site.agent();
        Site.await("more packs", () -> objects(site) > before);
        site.kill(agent);
      }

      assertEquals(0, site.shipOnce().exitCode());

      site.restoreAndCompare();
      assertEquals(writtenBytes, packedBytes(site));
    }
  }

  private static int objects(Site site) throws IOException {
    return Files.exists(site.archive()) ? Site.files(site.archive()).size() : 0;
  }

  /** How many bytes all objects have, as `zstd -d` prints them. */
  private static long packedBytes(Site site) throws IOException {
    long bytes = 0;
    for (Path object : Site.files(site.archive())) {
      if (object.toString().endsWith(".zst")) {
        try (InputStream frames = new ZstdInputStream(Files.newInputStream(object))) {
          bytes += frames.transferTo(OutputStream.nullOutputStream());
        }
      }
    }
    return bytes;
  }
}
