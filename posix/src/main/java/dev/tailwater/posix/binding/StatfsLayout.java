package dev.tailwater.posix.binding;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.tailwater.posix.value.FileSystemStatus;
import java.lang.foreign.MemorySegment;

/**
 * The layout of struct statfs of statfs(2): 120 bytes, the same on x86-64 and aarch64.
 *
 * <pre>
 *  0 type     8 bsize   16 blocks  24 bfree   32 bavail
 * 40 files   48 ffree   56 fsid    64 namelen 72 frsize   80 flags   88 spare   (64 bits each)
 * </pre>
 */
public final class StatfsLayout {
  private StatfsLayout() {}

  /** Reads the struct that the kernel filled. */
  public static FileSystemStatus read(MemorySegment struct) {
    long optimalBytes = struct.get(JAVA_LONG, 8);
    long fragmentBytes = struct.get(JAVA_LONG, 72);
    long blockSizeBytes = fragmentBytes == 0 ? optimalBytes : fragmentBytes;
    return new FileSystemStatus(
        struct.get(JAVA_LONG, 0),
        struct.get(JAVA_LONG, 56),
        blockSizeBytes,
        struct.get(JAVA_LONG, 16) * blockSizeBytes,
        struct.get(JAVA_LONG, 32) * blockSizeBytes,
        struct.get(JAVA_LONG, 48),
        (int) struct.get(JAVA_LONG, 64));
  }
}
