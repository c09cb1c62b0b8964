package dev.tailwater.lab.identity;

import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.FileCalls;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * Methods of identifying a file.
 *
 * <p>stat and fstat both use statx(2), as all of this program does: the former by path, the latter
 * by descriptor.
 */
enum IdentityWay {
  /**
   * The method that the article's team rejected: between it and the open, another file may get the
   * name.
   */
  STAT("stat") {
    @Override
    long identify(IdentityFiles files, int file) throws IOException {
      return files.calls().statx(FileCalls.AT_FDCWD, files.path(file), Set.of()).inode();
    }
  },
  FSTAT("fstat") {
    @Override
    long identify(IdentityFiles files, int file) throws IOException {
      return files.calls().fstat(files.kept(file).fd()).inode();
    }
  },
  OPEN_FSTAT("open, fstat") {
    @Override
    long identify(IdentityFiles files, int file) throws IOException {
      return files.calls().fstat(files.fresh(file)).inode();
    }
  },
  PREAD("pread") {
    @Override
    long identify(IdentityFiles files, int file) throws IOException {
      return files.calls().pread(files.kept(file).fd(), files.page(), 0);
    }
  },
  OPEN_PREAD_HASH("open, pread, hash") {
    @Override
    long identify(IdentityFiles files, int file) throws IOException {
      int count = files.calls().pread(files.fresh(file), files.page(), 0);
      CRC32C crc = new CRC32C();
      ByteBuffer bytes = files.pageBuffer().clear();
      crc.update(bytes.limit(count));
      return crc.getValue();
    }
  },
  /**
   * The agent's method: distinguishes files even if an inode number was used again, and checks that
   * it is a regular file.
   */
  OURS("open, statx, generation, file system (ours)") {
    @Override
    long identify(IdentityFiles files, int file) throws IOException {
      return FileIdentity.of(files.calls(), files.freshRegular(file)).inode();
    }
  };

  private final String words;

  IdentityWay(String words) {
    this.words = words;
  }

  String words() {
    return words;
  }

  /** Returns the identity of the file, as far as this method tells it. */
  abstract long identify(IdentityFiles files, int file) throws IOException;
}
