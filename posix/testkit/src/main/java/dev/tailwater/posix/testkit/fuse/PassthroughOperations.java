package dev.tailwater.posix.testkit.fuse;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.cryptomator.jfuse.api.DirFiller;
import org.cryptomator.jfuse.api.Errno;
import org.cryptomator.jfuse.api.FileInfo;
import org.cryptomator.jfuse.api.FileModes;
import org.cryptomator.jfuse.api.FuseConfig;
import org.cryptomator.jfuse.api.FuseConnInfo;
import org.cryptomator.jfuse.api.FuseOperations;
import org.cryptomator.jfuse.api.Stat;
import org.cryptomator.jfuse.api.Statvfs;
import org.cryptomator.jfuse.api.TimeSpec;
import org.jspecify.annotations.Nullable;

/**
 * A file system that answers requests from a real directory. Several threads of libfuse call it at
 * once.
 */
final class PassthroughOperations implements FuseOperations {
  private static final int O_TRUNC = 0x200;
  private static final int RENAME_NOREPLACE = 1;
  private static final int BLOCK_BYTES = 4096;

  private final Path files;
  private final Errno errno;
  private final FuseOptions options;
  private final RequestLog log;
  private final Map<Long, FileChannel> open = new ConcurrentHashMap<>();
  private final AtomicLong lastHandle = new AtomicLong();

  PassthroughOperations(Path files, Errno errno, FuseOptions options, RequestLog log) {
    this.files = files;
    this.errno = errno;
    this.options = options;
    this.log = log;
  }

  private interface Answer {
    int give() throws IOException;
  }

  private int answer(FuseRequest request, Answer answer) {
    RequestFaults.Planned fault = log.next(request);
    if (fault.errnoNumber() != 0) {
      return -fault.errnoNumber();
    }
    if (fault.twice()) {
      answer(answer); // the first answer is lost
    }
    return answer(answer);
  }

  private int answer(Answer answer) {
    try {
      return answer.give();
    } catch (NoSuchFileException e) {
      return -errno.enoent();
    } catch (FileAlreadyExistsException e) {
      return -errno.eexist();
    } catch (DirectoryNotEmptyException e) {
      return -errno.enotempty();
    } catch (NotDirectoryException e) {
      return -errno.enotdir();
    } catch (AccessDeniedException e) {
      return -errno.eacces();
    } catch (IOException e) {
      System.err.println("answered with EIO: " + e);
      return -errno.eio();
    }
  }

  private Path at(String path) {
    return files.resolve(path.substring(1));
  }

  @Override
  public Errno errno() {
    return errno;
  }

  @Override
  public Set<Operation> supportedOperations() {
    return EnumSet.of(
        Operation.INIT,
        Operation.GET_ATTR,
        Operation.STATFS,
        Operation.OPEN,
        Operation.CREATE,
        Operation.READ,
        Operation.WRITE,
        Operation.FLUSH,
        Operation.FSYNC,
        Operation.RELEASE,
        Operation.TRUNCATE,
        Operation.READ_DIR,
        Operation.FSYNCDIR,
        Operation.MKDIR,
        Operation.RMDIR,
        Operation.UNLINK,
        Operation.RENAME,
        Operation.CHMOD,
        Operation.UTIMENS);
  }

  @Override
  public void init(FuseConnInfo connection, FuseConfig config) {
    connection.setMaxWrite(options.maxWriteBytes());
    DirectIo.set(config, options.directIo());
  }

  @Override
  public int getattr(String path, Stat stat, @Nullable FileInfo file) {
    return answer(
        FuseRequest.GETATTR,
        () -> {
          UnixAttributes.of(at(path)).copyTo(stat);
          return 0;
        });
  }

  @Override
  public int statfs(String path, Statvfs statvfs) {
    return answer(
        FuseRequest.STATFS,
        () -> {
          long total = files.toFile().getTotalSpace();
          long usable = files.toFile().getUsableSpace();
          statvfs.setBsize(BLOCK_BYTES);
          statvfs.setFrsize(BLOCK_BYTES);
          statvfs.setBlocks(total / BLOCK_BYTES);
          statvfs.setBfree(usable / BLOCK_BYTES);
          statvfs.setBavail(usable / BLOCK_BYTES);
          statvfs.setNameMax(255);
          return 0;
        });
  }

  @Override
  public int open(String path, FileInfo file) {
    return answer(
        FuseRequest.OPEN,
        () -> {
          FileChannel channel =
              FileChannel.open(at(path), StandardOpenOption.READ, StandardOpenOption.WRITE);
          if ((file.getFlags() & O_TRUNC) != 0) {
            channel.truncate(0);
          }
          return keep(channel, file);
        });
  }

  @Override
  public int create(String path, int mode, FileInfo file) {
    return answer(
        FuseRequest.CREATE,
        () -> {
          FileChannel channel =
              FileChannel.open(
                  at(path),
                  StandardOpenOption.CREATE_NEW,
                  StandardOpenOption.READ,
                  StandardOpenOption.WRITE);
          int kept = keep(channel, file);
          changeMode(path, mode);
          return kept;
        });
  }

  private int keep(FileChannel channel, FileInfo file) {
    long handle = lastHandle.incrementAndGet();
    open.put(handle, channel);
    file.setFh(handle);
    return 0;
  }

  private FileChannel channel(FileInfo file) throws IOException {
    FileChannel channel = open.get(file.getFh());
    if (channel == null) {
      throw new IOException("no open file " + file.getFh());
    }
    return channel;
  }

  @Override
  public int read(String path, ByteBuffer target, long count, long offset, FileInfo file) {
    log.read((int) count);
    return answer(
        FuseRequest.READ,
        () -> {
          ByteBuffer wanted = target.slice(0, (int) count);
          while (wanted.hasRemaining()
              && channel(file).read(wanted, offset + wanted.position()) > 0) {}
          return wanted.position();
        });
  }

  @Override
  public int write(String path, ByteBuffer source, long count, long offset, FileInfo file) {
    log.write((int) count);
    return answer(
        FuseRequest.WRITE,
        () -> {
          ByteBuffer given = source.slice(0, (int) count);
          while (given.hasRemaining()) {
            channel(file).write(given, offset + given.position());
          }
          return given.position();
        });
  }

  @Override
  public int fsync(String path, int dataOnly, FileInfo file) {
    log.fsync();
    return answer(
        FuseRequest.FSYNC,
        () -> {
          channel(file).force(dataOnly == 0);
          return 0;
        });
  }

  @Override
  public int fsyncdir(String path, int dataOnly, @Nullable FileInfo file) {
    return answer(FuseRequest.FSYNCDIR, () -> 0);
  }

  @Override
  public int flush(String path, FileInfo file) {
    return answer(FuseRequest.FLUSH, () -> 0);
  }

  /** Creates a hard link; called through {@link LinkOperation}. */
  @Override
  public int link(String from, String to) {
    return answer(
        FuseRequest.LINK,
        () -> {
          Files.createLink(at(to), at(from));
          return 0;
        });
  }

  @Override
  public int release(String path, FileInfo file) {
    return answer(
        FuseRequest.RELEASE,
        () -> {
          channel(file).close();
          open.remove(file.getFh());
          return 0;
        });
  }

  @Override
  public int truncate(String path, long size, @Nullable FileInfo file) {
    return answer(
        FuseRequest.TRUNCATE,
        () -> {
          try (RandomAccessFile cut = new RandomAccessFile(at(path).toFile(), "rw")) {
            cut.setLength(size);
          }
          return 0;
        });
  }

  @Override
  public int readdir(String path, DirFiller filler, long offset, FileInfo file, int flags) {
    return answer(
        FuseRequest.READDIR,
        () -> {
          List<Path> names;
          try (Stream<Path> found = Files.list(at(path))) {
            names = found.toList();
          }
          filler.fill(".");
          filler.fill("..");
          for (Path name : names) {
            filler.fill(String.valueOf(name.getFileName()));
          }
          return 0;
        });
  }

  @Override
  public int mkdir(String path, int mode) {
    return answer(
        FuseRequest.MKDIR,
        () -> {
          Files.createDirectory(at(path));
          return changeMode(path, mode);
        });
  }

  @Override
  public int rmdir(String path) {
    return answer(
        FuseRequest.RMDIR,
        () -> {
          Files.delete(at(path));
          return 0;
        });
  }

  @Override
  public int unlink(String path) {
    return answer(
        FuseRequest.UNLINK,
        () -> {
          Files.delete(at(path));
          return 0;
        });
  }

  @Override
  public int rename(String from, String to, int flags) {
    return answer(
        FuseRequest.RENAME,
        () -> {
          int known = options.renameFlags() ? RENAME_NOREPLACE : 0;
          if ((flags & ~known) != 0) {
            return -errno.einval();
          }
          if (flags == RENAME_NOREPLACE && Files.exists(at(to), LinkOption.NOFOLLOW_LINKS)) {
            return -errno.eexist();
          }
          Files.move(at(from), at(to), StandardCopyOption.ATOMIC_MOVE);
          return 0;
        });
  }

  @Override
  public int chmod(String path, int mode, @Nullable FileInfo file) {
    return answer(FuseRequest.CHMOD, () -> changeMode(path, mode));
  }

  private int changeMode(String path, int mode) throws IOException {
    Files.setPosixFilePermissions(
        at(path), FileModes.toPermissions(mode & FileModes.PERMISSIONS_MASK));
    return 0;
  }

  @Override
  public int utimens(String path, TimeSpec access, TimeSpec modification, @Nullable FileInfo file) {
    return answer(
        FuseRequest.UTIMENS,
        () -> {
          Files.getFileAttributeView(at(path), PosixFileAttributeView.class)
              .setTimes(time(modification), time(access), null);
          return 0;
        });
  }

  private static @Nullable FileTime time(TimeSpec given) {
    return given.getOptional().map(FileTime::from).orElse(null);
  }
}
