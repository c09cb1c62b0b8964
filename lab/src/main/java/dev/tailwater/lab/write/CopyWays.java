package dev.tailwater.lab.write;

import dev.tailwater.io.Descriptor;
import dev.tailwater.io.write.BlockWriter;
import dev.tailwater.io.write.FileCopy;
import dev.tailwater.io.write.FileCopyOptions;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.OpenFlag;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/** Methods of copying a file onto a synchronous mount. Each creates the target anew. */
final class CopyWays {
  private static final int ARTICLE_READ_BYTES = 8192;

  private final FileCalls calls;

  CopyWays(FileCalls calls) {
    this.calls = calls;
  }

  /**
   * Copies by the article's loop, without its mistake: it wrote whole buffers after short reads.
   */
  void stream(Path from, Path to, int bufferBytes) throws IOException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(from));
        OutputStream out = new BufferedOutputStream(Files.newOutputStream(to), bufferBytes)) {
      byte[] buffer = new byte[ARTICLE_READ_BYTES];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        out.write(buffer, 0, read);
      }
    }
  }

  /** Copies with writes of the given size to a writer that chooses its own size for the mount. */
  void blockWriter(Path from, Path to, int applicationBytes) throws IOException {
    try (InputStream in = Files.newInputStream(from);
        Descriptor file = create(to);
        BlockWriter writer = BlockWriter.over(file, 0)) {
      byte[] buffer = new byte[applicationBytes];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        writer.write(buffer, 0, read);
      }
    }
  }

  /** Copies by the kernel's copy, as the JDK offers it. */
  void transferTo(Path from, Path to) throws IOException {
    try (FileChannel source = FileChannel.open(from);
        FileChannel target =
            FileChannel.open(to, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      long at = 0;
      while (at < source.size()) {
        at += source.transferTo(at, source.size() - at, target);
      }
    }
  }

  /** Copies by the project's copy of whole files, which also chooses its size for the mount. */
  void fileCopy(Path from, Path to) throws IOException {
    try (Descriptor source =
            Descriptor.openRegularFile(calls, FileCalls.AT_FDCWD, PosixPath.of(from), Set.of());
        Descriptor target = create(to)) {
      FileCopy.whole(source, target, FileCopyOptions.defaults());
    }
  }

  private Descriptor create(Path to) throws IOException {
    return Descriptor.open(
        calls,
        FileCalls.AT_FDCWD,
        PosixPath.of(to),
        Set.of(OpenFlag.WRITE_ONLY, OpenFlag.CREATE),
        0600);
  }
}
