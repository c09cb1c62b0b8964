package dev.tailwater.posix.linux;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.JoinedFileCalls;
import dev.tailwater.posix.binding.Platform;
import dev.tailwater.posix.binding.ScratchPool;

/**
 * The calls of the Linux kernel that this process runs on, made through the C library.
 *
 * <p>Thread-safe, for platform and virtual threads; a virtual thread occupies its carrier while a
 * call blocks. Each call has its own errno, in pooled native memory that two calls never share. A
 * call that a signal interrupts is repeated where the contract says so; {@code close} never is. A
 * call that the kernel or the C library does not have fails with {@link Errno#ENOSYS} when it is
 * made, not earlier.
 *
 * <p>Once compiled, {@code pread}, {@code preadv2}, {@code pollReadable}, {@code open} and {@code
 * close} do not allocate on the heap. {@code preadCritical} allocates 112 bytes and {@code fstat}
 * 120 (its result), whatever the amount of data (measured with ThreadMXBean on JDK 25, x86-64).
 *
 * <p>The JVM needs {@code --enable-native-access}; otherwise it prints a warning.
 */
public final class LinuxFileCalls {
  private LinuxFileCalls() {}

  /**
   * Creates the file calls for this machine.
   *
   * @throws IllegalStateException on any system other than Linux on x86-64 or aarch64
   */
  public static FileCalls create() {
    Platform platform = Platform.current();
    ScratchPool scratches = new ScratchPool();
    return new JoinedFileCalls(
        new LinuxNameCalls(platform, scratches),
        new LinuxReadCalls(scratches),
        new LinuxMapCalls(scratches),
        new LinuxWriteCalls(scratches),
        new LinuxRangeCalls(scratches),
        new LinuxStatusCalls(platform, scratches),
        new LinuxAttributeCalls(scratches),
        new LinuxWatchCalls(scratches),
        new LinuxFanotifyCalls(scratches),
        new LinuxRingCalls(scratches));
  }
}
