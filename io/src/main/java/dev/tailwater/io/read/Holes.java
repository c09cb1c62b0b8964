package dev.tailwater.io.read;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.value.FileStatus;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Finds the long holes of sparse files, so that their zeros need not be read. On file systems that
 * do not report holes, or not reliably while data are not on the disk yet, it finds none. Belongs
 * to one thread.
 */
public final class Holes {
  /** Shorter holes are read. */
  public static final long MIN_BYTES = 1 << 20;

  private static final Set<Long> TRUSTED_TYPES =
      Set.of(
          0xEF53L, // ext4
          0x58465342L, // xfs
          0x9123683EL, // btrfs
          0x01021994L, // tmpfs
          0xF2F52010L); // f2fs

  private final FileCalls calls;
  private int fd = -1;
  private boolean possible;
  private long dataUntilBytes;

  public Holes(FileCalls calls) {
    this.calls = calls;
  }

  /** Begins with a file. */
  public void begin(int nextFd, FileStatus status) {
    fd = nextFd;
    dataUntilBytes = 0;
    possible = status.sizeBytes() - status.allocatedBytes() >= MIN_BYTES && isTrusted();
  }

  private boolean isTrusted() {
    try {
      return TRUSTED_TYPES.contains(calls.statfs(fd).type() & 0xFFFF_FFFFL);
    } catch (ErrnoException e) {
      return false;
    }
  }

  /** Returns how many bytes from there on are a hole, up to the limit; 0 for a short hole. */
  public long lengthAt(long positionBytes, long limitBytes) {
    if (!possible || limitBytes - positionBytes < MIN_BYTES || positionBytes < dataUntilBytes) {
      return 0;
    }
    try {
      OptionalLong data = calls.seekData(fd, positionBytes);
      long end = Math.min(data.orElse(limitBytes), limitBytes);
      if (end - positionBytes >= MIN_BYTES) {
        return end - positionBytes;
      }
      dataUntilBytes = calls.seekHole(fd, end).orElse(limitBytes);
      return 0;
    } catch (ErrnoException e) {
      possible = false; // The read that follows reports what is wrong with the file.
      return 0;
    }
  }
}
