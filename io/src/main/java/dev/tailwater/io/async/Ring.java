package dev.tailwater.io.async;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.RingCalls;
import dev.tailwater.posix.value.RingFeature;
import dev.tailwater.posix.value.RingFlag;
import dev.tailwater.posix.value.RingParameters;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.EnumSet;
import java.util.Set;

/**
 * One io_uring: the memory that is shared with the kernel, and how both sides take turns in it.
 *
 * <pre>
 * submission entry, 64 bytes              completion, 16 bytes
 *  0 opcode u8, flags u8, ioprio u16       0 user data u64
 *  4 descriptor s32                        8 result s32
 *  8 offset u64                           12 flags u32
 * 16 address u64
 * 24 length u32, flags of the operation u32
 * 32 user data u64
 * 40 unused here
 * </pre>
 *
 * <p>Whoever fills a ring writes the entry, then its tail with release; whoever empties it reads
 * the tail with acquire, then the entry, then writes the head with release. Both platforms are
 * little-endian. Not thread-safe; threads may take turns.
 *
 * @see <a href="https://man7.org/linux/man-pages/man7/io_uring.7.html">io_uring(7)</a>
 */
final class Ring implements AutoCloseable {
  private static final VarHandle INT = JAVA_INT.varHandle().withInvokeExactBehavior();

  private static final int ENTRY_BYTES = 64;
  private static final int COMPLETION_BYTES = 16;
  private static final int OP_NOP = 0;
  private static final int OP_POLL_ADD = 6;
  private static final int OP_READ = 22;
  private static final int IOSQE_ASYNC = 1 << 4;
  private static final long POLLIN = 1;

  private static final Set<RingFeature> NEEDED = EnumSet.allOf(RingFeature.class);

  private final FileCalls calls;
  private final int fd;
  private final MemorySegment rings;
  private final MemorySegment entries;
  private final long submissionHeadAt;
  private final long submissionTailAt;
  private final int submissionMask;
  private final long completionHeadAt;
  private final long completionTailAt;
  private final int completionMask;
  private final long completionsAt;

  /** Behind the last entry that was filled; the kernel may know an earlier one. */
  private int submissionTail;

  private int completionHead;

  private Ring(
      FileCalls calls, RingParameters parameters, MemorySegment rings, MemorySegment table) {
    this.calls = calls;
    this.fd = parameters.fd();
    this.rings = rings;
    this.entries = table;
    this.submissionHeadAt = parameters.submission().head();
    this.submissionTailAt = parameters.submission().tail();
    this.submissionMask = rings.get(JAVA_INT, parameters.submission().mask());
    this.completionHeadAt = parameters.completion().head();
    this.completionTailAt = parameters.completion().tail();
    this.completionMask = rings.get(JAVA_INT, parameters.completion().mask());
    this.completionsAt = parameters.completion().entries();
    // Entry i is always at place i of the table, so the indirection is written once.
    for (int i = 0; i < parameters.submissionEntries(); i++) {
      rings.set(JAVA_INT, parameters.submission().array() + (long) i * Integer.BYTES, i);
    }
  }

  /**
   * Makes a ring, and lets as many of its reads block at once as it has entries.
   *
   * @param entries how many reads are submitted and not completed at most; then completions, for
   *     which there is twice the room, cannot overflow
   * @throws ErrnoException as io_uring_setup(2) and mmap(2); ENOSYS too when the kernel's io_uring
   *     is older than reads in it
   */
  static Ring open(FileCalls calls, int entries) throws ErrnoException {
    RingParameters parameters = setup(calls, entries);
    try {
      if (!parameters.features().containsAll(NEEDED)) {
        throw new ErrnoException(
            "io_uring_setup",
            "a new ring",
            Errno.ENOSYS.number(),
            "the io_uring of this kernel cannot do reads; needs Linux 5.6");
      }
      letBlock(calls, parameters.fd(), entries);
      return mapped(calls, parameters);
    } catch (ErrnoException | RuntimeException | Error e) {
      calls.close(parameters.fd());
      throw e;
    }
  }

  private static RingParameters setup(FileCalls calls, int entries) throws ErrnoException {
    try {
      return calls.ioUringSetup(entries, EnumSet.of(RingFlag.COOPERATIVE));
    } catch (ErrnoException e) {
      if (e.errno() != Errno.EINVAL) {
        throw e;
      }
      return calls.ioUringSetup(entries, EnumSet.noneOf(RingFlag.class)); // before Linux 5.19
    }
  }

  private static void letBlock(FileCalls calls, int fd, int threads) throws ErrnoException {
    try {
      calls.ioUringLimitWorkers(fd, threads);
    } catch (ErrnoException e) {
      if (e.errno() != Errno.EINVAL) { // before Linux 5.15: the kernel's own figure
        throw e;
      }
    }
  }

  private static Ring mapped(FileCalls calls, RingParameters parameters) throws ErrnoException {
    long submissionEnd =
        parameters.submission().array() + (long) parameters.submissionEntries() * Integer.BYTES;
    long completionEnd =
        parameters.completion().entries()
            + (long) parameters.completionEntries() * COMPLETION_BYTES;
    MemorySegment rings =
        calls.mapRing(
            parameters.fd(), RingCalls.RINGS_OFFSET_BYTES, Math.max(submissionEnd, completionEnd));
    try {
      long tableBytes = (long) parameters.submissionEntries() * ENTRY_BYTES;
      MemorySegment table =
          calls.mapRing(parameters.fd(), RingCalls.ENTRIES_OFFSET_BYTES, tableBytes);
      return new Ring(calls, parameters, rings, table);
    } catch (ErrnoException | RuntimeException | Error e) {
      calls.unmapRing(rings);
      throw e;
    }
  }

  /**
   * Fills an entry that reads.
   *
   * @param mayBlock whether a kernel thread does it from the start
   */
  void read(
      int fileFd, long offsetBytes, long address, int bytes, boolean mayBlock, long userData) {
    fill(OP_READ, mayBlock ? IOSQE_ASYNC : 0, fileFd, offsetBytes, address, bytes, userData);
  }

  /** Fills an entry that completes, once, when that descriptor can be read without waiting. */
  void pollReadable(int otherFd, long userData) {
    fill(OP_POLL_ADD, 0, otherFd, 0, 0, POLLIN << Integer.SIZE, userData);
  }

  /** Fills an entry that completes at once. */
  void nothing(long userData) {
    fill(OP_NOP, 0, -1, 0, 0, 0, userData);
  }

  private void fill(
      int opcode, int flags, int fileFd, long offset, long address, long lengths, long userData) {
    long at = (long) (submissionTail & submissionMask) * ENTRY_BYTES;
    entries.set(JAVA_LONG, at, opcode | (long) flags << 8 | (long) fileFd << Integer.SIZE);
    entries.set(JAVA_LONG, at + 8, offset);
    entries.set(JAVA_LONG, at + 16, address);
    entries.set(JAVA_LONG, at + 24, lengths);
    entries.set(JAVA_LONG, at + 32, userData);
    entries.set(JAVA_LONG, at + 40, 0L);
    entries.set(JAVA_LONG, at + 48, 0L);
    entries.set(JAVA_LONG, at + 56, 0L);
    submissionTail++;
  }

  /** Entries that were filled and that the kernel has not taken. */
  int unsubmitted() {
    return submissionTail - (int) INT.getAcquire(rings, submissionHeadAt);
  }

  /** The user data of the youngest of them, which is as if it had never been filled. */
  long takeBack() {
    submissionTail--;
    return entries.get(JAVA_LONG, (long) (submissionTail & submissionMask) * ENTRY_BYTES + 32);
  }

  /**
   * Hands the entries to the kernel, and waits for completions.
   *
   * @throws ErrnoException as {@link RingCalls#ioUringEnter}; entries that the kernel has not taken
   *     stay filled
   */
  void enter(int submissions, int minCompletions) throws ErrnoException {
    INT.setRelease(rings, submissionTailAt, submissionTail);
    calls.ioUringEnter(fd, submissions, minCompletions);
  }

  boolean hasCompletion() {
    return completionHead != (int) INT.getAcquire(rings, completionTailAt);
  }

  /** The user data of the oldest completion. */
  long completedUserData() {
    return rings.get(JAVA_LONG, completionAt());
  }

  /** Its result: as of the system call, or -errno. */
  int completedResult() {
    return rings.get(JAVA_INT, completionAt() + 8);
  }

  private long completionAt() {
    return completionsAt + (long) (completionHead & completionMask) * COMPLETION_BYTES;
  }

  /** Gives its place back to the kernel. */
  void takeCompletion() {
    completionHead++;
    INT.setRelease(rings, completionHeadAt, completionHead);
  }

  /** Only when nothing is in flight. */
  @Override
  public void close() throws ErrnoException {
    try (AutoCloseableCall _ = () -> calls.close(fd);
        AutoCloseableCall _ = () -> calls.unmapRing(rings)) {
      calls.unmapRing(entries);
    }
  }
}
