package dev.tailwater.posix;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Has the kernel refuse a system call of one thread, as the seccomp profile of a container does.
 *
 * @see <a href="https://man7.org/linux/man-pages/man2/seccomp.2.html">seccomp(2)</a>
 */
public final class RefusedSystemCall {
  private static final int PR_SET_SECCOMP = 22;
  private static final int PR_SET_NO_NEW_PRIVS = 38;
  private static final long SECCOMP_MODE_FILTER = 2;

  private static final int LOAD_WORD = 0x20;
  private static final int JUMP_IF_EQUAL = 0x15;
  private static final int RETURN = 0x06;
  private static final int ALLOW = 0x7fff0000;
  private static final int REFUSE_WITH = 0x00050000;
  private static final int INSTRUCTIONS = 4;
  private static final int INSTRUCTION_BYTES = 8;

  private RefusedSystemCall() {}

  /**
   * Refuses the call in the current thread, and in threads that it starts, for as long as they are.
   *
   * @param number of the call; the same on all machines from 424 on
   * @param errno what the call sets
   */
  @SuppressWarnings("restricted") // a function that the product itself does not need
  public static void inThisThread(int number, int errno) {
    Linker linker = Linker.nativeLinker();
    MethodHandle prctl =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("prctl"),
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
            Linker.Option.firstVariadicArg(1));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment filter = arena.allocate((long) INSTRUCTIONS * INSTRUCTION_BYTES, Long.BYTES);
      put(filter, 0, LOAD_WORD, 0, 0, 0); // The number is the first field of struct seccomp_data.
      put(filter, 1, JUMP_IF_EQUAL, 0, 1, number);
      put(filter, 2, RETURN, 0, 0, REFUSE_WITH | errno);
      put(filter, 3, RETURN, 0, 0, ALLOW);
      MemorySegment program = arena.allocate(2L * ADDRESS.byteSize(), ADDRESS.byteSize());
      program.set(JAVA_SHORT, 0, (short) INSTRUCTIONS);
      program.set(ADDRESS, ADDRESS.byteSize(), filter);
      require((int) prctl.invokeExact(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L));
      require(
          (int) prctl.invokeExact(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program.address(), 0L, 0L));
    } catch (Throwable e) {
      throw new IllegalStateException("prctl", e);
    }
  }

  private static void put(
      MemorySegment filter, int index, int code, int ifTrue, int ifFalse, int operand) {
    long at = (long) index * INSTRUCTION_BYTES;
    filter.set(JAVA_SHORT, at, (short) code);
    filter.set(JAVA_BYTE, at + 2, (byte) ifTrue);
    filter.set(JAVA_BYTE, at + 3, (byte) ifFalse);
    filter.set(JAVA_INT, at + 4, operand);
  }

  private static void require(int result) {
    if (result != 0) {
      throw new IllegalStateException("prctl refused a filter of system calls");
    }
  }
}
