package dev.tailwater.posix.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import dev.tailwater.posix.DirectoryEntry;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.NameCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.binding.EntryTypes;
import dev.tailwater.posix.binding.NameBindings;
import dev.tailwater.posix.binding.Scratch;
import dev.tailwater.posix.binding.ScratchPool;
import dev.tailwater.posix.value.EntryType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/** A reader of directories by getdents64(2), which returns records of struct linux_dirent64. */
final class DirectoryReader {
  private static final int BUFFER_BYTES = 32 * 1024;
  private static final int SEEK_SET = 0;

  private static final long INODE = 0;
  private static final long RECORD_BYTES = 16;
  private static final long TYPE = 18;
  private static final long NAME = 19;

  private final ScratchPool scratches;

  DirectoryReader(ScratchPool scratches) {
    this.scratches = scratches;
  }

  /** Passes each entry to a visitor; see {@link NameCalls#entries(int, Consumer)}. */
  void entries(int dirFd, Consumer<DirectoryEntry> visitor) throws ErrnoException {
    try (Scratch scratch = scratches.acquire();
        Arena arena = Arena.ofConfined()) {
      if (NameBindings.lseek(scratch.errno(), dirFd, 0, SEEK_SET) < 0) {
        throw scratch.failure("entries", dirFd);
      }
      MemorySegment buffer = arena.allocate(BUFFER_BYTES, Long.BYTES);
      long bytes;
      do {
        bytes = read("entries", scratch, dirFd, buffer);
        visitAll(buffer.asSlice(0, bytes), visitor);
      } while (bytes > 0);
    }
  }

  /** Passes the next entries to a visitor; see {@link NameCalls#nextEntries}. */
  boolean nextEntries(int dirFd, Consumer<DirectoryEntry> visitor) throws ErrnoException {
    try (Scratch scratch = scratches.acquire();
        Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(BUFFER_BYTES, Long.BYTES);
      long bytes = read("nextEntries", scratch, dirFd, buffer);
      visitAll(buffer.asSlice(0, bytes), visitor);
      return bytes > 0;
    }
  }

  /** Returns the length of the records that were read; 0 at the end. */
  private static long read(String operation, Scratch scratch, int dirFd, MemorySegment buffer)
      throws ErrnoException {
    while (true) {
      long bytes = NameBindings.getdents64(scratch.errno(), dirFd, buffer, BUFFER_BYTES);
      if (bytes >= 0) {
        return bytes;
      }
      if (!scratch.interrupted()) {
        throw scratch.failure(operation, dirFd);
      }
    }
  }

  private static void visitAll(MemorySegment records, Consumer<DirectoryEntry> visitor) {
    long at = 0;
    while (at < records.byteSize()) {
      int recordBytes = Short.toUnsignedInt(records.get(JAVA_SHORT_UNALIGNED, at + RECORD_BYTES));
      int nameBytes = nameBytes(records, at + NAME);
      if (!isSelfOrParent(records, at + NAME, nameBytes)) {
        long inode = records.get(JAVA_LONG_UNALIGNED, at + INODE);
        EntryType type = EntryTypes.ofDirent(records.get(JAVA_BYTE, at + TYPE));
        PosixPath name = PosixPath.of(records, at + NAME, nameBytes);
        visitor.accept(new DirectoryEntry(name, inode, type));
      }
      at += recordBytes;
    }
  }

  private static int nameBytes(MemorySegment records, long nameAt) {
    int length = 0;
    while (records.get(JAVA_BYTE, nameAt + length) != 0) {
      length++;
    }
    return length;
  }

  private static boolean isSelfOrParent(MemorySegment records, long nameAt, int nameBytes) {
    return records.get(JAVA_BYTE, nameAt) == '.'
        && (nameBytes == 1 || (nameBytes == 2 && records.get(JAVA_BYTE, nameAt + 1) == '.'));
  }
}
