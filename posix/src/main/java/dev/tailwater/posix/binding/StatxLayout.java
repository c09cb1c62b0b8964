package dev.tailwater.posix.binding;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.tailwater.posix.value.DirectAlignment;
import dev.tailwater.posix.value.FileStatus;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The layout of struct statx of statx(2): 256 bytes, the same on every architecture.
 *
 * <pre>
 *   0 mask u32          4 blksize u32     8 attributes u64   16 nlink u32
 *  20 uid u32          24 gid u32        28 mode u16         32 ino u64
 *  40 size u64         48 blocks u64     56 attributes_mask
 *  64 atime            80 btime          96 ctime           112 mtime     (s64 s, u32 ns, pad)
 * 128 rdev major/minor u32              136 dev_major u32   140 dev_minor u32
 * 144 mnt_id u64      152 dio_mem_align u32                 156 dio_offset_align u32
 * </pre>
 */
public final class StatxLayout {
  private static final int BASIC_STATS = 0x7ff;
  private static final int BIRTH_TIME = 0x800;
  private static final int MOUNT_ID = 0x1000;

  /** The mask to request for {@link #read}. */
  public static final int WANTED = BASIC_STATS | BIRTH_TIME | MOUNT_ID;

  /** The mask to request for {@link #directAlignment}. */
  public static final int DIRECT_ALIGNMENT = 0x2000;

  private static final int PERMISSION_BITS = 07777;
  private static final long SECTOR_BYTES = 512;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final long MAX_SECONDS = Long.MAX_VALUE / NANOS_PER_SECOND - 1;

  private StatxLayout() {}

  /**
   * Reads the struct that the kernel filled. It is passed as a buffer, since the first compiler
   * takes 9 MB of memory for twenty accesses to a segment.
   *
   * @param struct in native byte order
   */
  public static FileStatus read(ByteBuffer struct) {
    int mask = struct.getInt(0);
    int mode = Short.toUnsignedInt(struct.getShort(28));
    return new FileStatus(
        Integer.toUnsignedLong(struct.getInt(136)) << 32
            | Integer.toUnsignedLong(struct.getInt(140)),
        struct.getLong(32),
        EntryTypes.ofMode(mode),
        mode & PERMISSION_BITS,
        Integer.toUnsignedLong(struct.getInt(20)),
        Integer.toUnsignedLong(struct.getInt(24)),
        struct.getInt(16),
        struct.getLong(40),
        struct.getLong(48) * SECTOR_BYTES,
        struct.getInt(4),
        nanos(struct, 112),
        nanos(struct, 96),
        (mask & BIRTH_TIME) == 0 ? OptionalLong.empty() : OptionalLong.of(nanos(struct, 80)),
        (mask & MOUNT_ID) == 0 ? 0 : struct.getLong(144));
  }

  /** Returns the alignment that direct I/O requires; empty if the kernel did not report it. */
  public static Optional<DirectAlignment> directAlignment(MemorySegment struct) {
    return (struct.get(JAVA_INT, 0) & DIRECT_ALIGNMENT) == 0
        ? Optional.empty()
        : Optional.of(new DirectAlignment(struct.get(JAVA_INT, 152), struct.get(JAVA_INT, 156)));
  }

  private static long nanos(ByteBuffer struct, int at) {
    // File systems store years that do not fit in a long of nanoseconds; clamp them.
    long seconds = Math.clamp(struct.getLong(at), -MAX_SECONDS, MAX_SECONDS);
    return seconds * NANOS_PER_SECOND + struct.getInt(at + 8);
  }
}
