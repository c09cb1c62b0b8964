package dev.tailwater.restore.place;

import dev.tailwater.io.Descriptor;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.StatFlag;
import dev.tailwater.restore.name.PartialName;
import dev.tailwater.restore.read.LocalBytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The list of directories that a restore makes and that do not have their modes and times yet, in a
 * file in the target directory. A run that continues an interrupted one learns from it which
 * directories are not the user's. A directory is listed before it is made, so that a kill at any
 * moment leaves none that is not listed. The file is made with the first directory and removed when
 * all have what they are to have.
 *
 * <p>A file of another user is not believed, as {@link PartialFile} sees to. Where there can be
 * none, or another run has it, a restore goes on without. For use under a lock of its owner.
 */
final class UnfinishedDirectories implements AutoCloseable {
  private static final byte[] HEADER =
      "tailwater unfinished directories 1\0".getBytes(StandardCharsets.US_ASCII);

  private static final int BUFFER_BYTES = 64 * 1024;

  private final Descriptor root;
  private final PosixPath name;

  /** Relative to the target. */
  private final Set<PosixPath> earlier = new HashSet<>();

  private Optional<PartialFile> file = Optional.empty();
  private boolean impossible;
  private long endBytes;

  private UnfinishedDirectories(Descriptor root, PosixPath name) {
    this.root = root;
    this.name = name;
  }

  /**
   * Reads what an earlier run has left, if it has left anything.
   *
   * @param root the target directory, which stays open until after {@link #close}
   * @param agents whose files are restored; each choice of them has a list of its own
   */
  static UnfinishedDirectories open(Descriptor root, Collection<String> agents) {
    String which = "directories of " + String.join(" ", new TreeSet<>(agents));
    UnfinishedDirectories list = new UnfinishedDirectories(root, PartialName.nameOf(which));
    try {
      var _ = root.calls().statx(root.fd(), list.name, EnumSet.of(StatFlag.NO_FOLLOW));
      list.openFile();
    } catch (ErrnoException nothingThere) {
      // It is made with the first directory.
    }
    return list;
  }

  /** Returns whether an earlier run has listed any. */
  boolean hasEarlier() {
    return !earlier.isEmpty();
  }

  /** Returns whether an earlier run has listed a directory. */
  boolean hasEarlier(List<PosixPath> names) {
    return !earlier.isEmpty() && earlier.contains(joined(names));
  }

  /** Returns whether the list, and so what else this user makes, belongs to a user. */
  boolean isOwnedBy(long userId) throws ErrnoException {
    return file.isPresent() && root.calls().fstat(file.get().fd()).ownerId() == userId;
  }

  /** Lists a directory that is about to be made. */
  void add(List<PosixPath> names) throws ErrnoException {
    if (file.isEmpty() && !impossible) {
      openFile();
    }
    if (file.isPresent() && !hasEarlier(names)) {
      append(file.get(), joined(names).toBytes());
    }
  }

  private static PosixPath joined(List<PosixPath> names) {
    PosixPath path = PosixPath.EMPTY;
    for (PosixPath name : names) {
      path = path.resolve(name);
    }
    return path;
  }

  private void openFile() {
    try {
      PartialFile opened = PartialFile.open(root, name);
      boolean taken = false;
      try {
        if (opened.reused()) {
          read(opened);
        }
        taken = true;
      } finally {
        if (taken) {
          file = Optional.of(opened);
        } else {
          opened.close();
        }
      }
    } catch (IOException e) {
      // Where no file can be made, the first directory tells why, if it matters.
    }
    impossible = file.isEmpty();
  }

  /** Reads what an earlier run has listed. */
  private void read(PartialFile opened) throws IOException {
    try (LocalBytes local = new LocalBytes(opened.calls())) {
      byte[] buffer = new byte[BUFFER_BYTES];
      ByteArrayOutputStream record = new ByteArrayOutputStream();
      boolean first = true;
      long at = 0;
      for (int count = local.read(opened.fd(), at, buffer, 0, buffer.length);
          count > 0;
          count = local.read(opened.fd(), at, buffer, 0, buffer.length)) {
        for (int i = 0; i < count; i++) {
          record.write(buffer[i]);
          if (buffer[i] != 0) {
            continue;
          }
          if (!first) {
            byte[] path = record.toByteArray();
            earlier.add(PosixPath.of(Arrays.copyOf(path, path.length - 1)));
          } else if (!Arrays.equals(record.toByteArray(), HEADER)) {
            return; // Killed before it listed anything, or after a power cut: begins anew.
          }
          first = false;
          record.reset();
          // Behind it may be the beginning of what a killed run was about to list.
          endBytes = at + i + 1;
        }
        at += count;
      }
    }
  }

  private void append(PartialFile to, byte[] path) throws ErrnoException {
    ByteArrayOutputStream record = new ByteArrayOutputStream();
    if (endBytes == 0) {
      record.writeBytes(HEADER);
    }
    record.writeBytes(path);
    record.write(0);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(record.size());
      MemorySegment.copy(MemorySegment.ofArray(record.toByteArray()), 0, bytes, 0, record.size());
      for (long done = 0; done < bytes.byteSize(); ) {
        done += to.calls().pwrite(to.fd(), bytes.asSlice(done), endBytes + done);
      }
    }
    endBytes += record.size();
  }

  /**
   * Removes the file, unless somebody has, or has put another one in its place: all directories
   * have what they are to have.
   */
  void finish() throws ErrnoException {
    if (file.isPresent() && file.get().hasItsName()) {
      try {
        file.get().discard();
      } catch (ErrnoException e) {
        if (e.errno() != Errno.ENOENT) {
          throw e;
        }
      }
    }
  }

  /** Closes the file; what is listed stays for a later run unless {@link #finish} was called. */
  @Override
  public void close() throws ErrnoException {
    if (file.isPresent()) {
      file.get().close();
    }
  }
}
