package dev.tailwater.posix.binding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tailwater.posix.value.OpenFlag;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PlatformTest {
  @Test
  void knowsBothArchitectures() {
    assertEquals(Platform.X86_64, Platform.of("Linux", "amd64"));
    assertEquals(Platform.X86_64, Platform.of("Linux", "x86_64"));
    assertEquals(Platform.AARCH64, Platform.of("Linux", "aarch64"));
  }

  @Test
  void refusesOthersByName() {
    assertEquals(
        "Tailwater's file calls need Linux on x86-64 or aarch64; this JVM runs on Mac OS X on"
            + " aarch64",
        assertThrows(IllegalStateException.class, () -> Platform.of("Mac OS X", "aarch64"))
            .getMessage());
    assertThrows(IllegalStateException.class, () -> Platform.of("Linux", "riscv64"));
    assertThrows(IllegalStateException.class, () -> Platform.of("", ""));
  }

  /** The numbers are those of the kernel's uapi headers, in octal as they stand there. */
  @Test
  void openBitsDifferWhereTheKernelsDo() {
    Set<OpenFlag> differing = EnumSet.of(OpenFlag.DIRECT, OpenFlag.DIRECTORY, OpenFlag.NO_FOLLOW);
    int closeOnExec = 02000000;
    assertEquals(closeOnExec | 040000 | 0200000 | 0400000, OpenBits.of(differing, Platform.X86_64));
    assertEquals(
        closeOnExec | 0200000 | 040000 | 0100000, OpenBits.of(differing, Platform.AARCH64));
    assertEquals(040000, Platform.X86_64.direct());
    assertEquals(0200000, Platform.AARCH64.direct());
    assertEquals(0200000, Platform.X86_64.directory());
    assertEquals(040000, Platform.AARCH64.directory());
    assertEquals(0400000, Platform.X86_64.noFollow());
    assertEquals(0100000, Platform.AARCH64.noFollow());
  }

  /** As in the kernel's tables of system calls. */
  @Test
  void numbersOfSystemCallsDifferWhereTheKernelsDo() {
    assertEquals(186, Platform.X86_64.getTid());
    assertEquals(178, Platform.AARCH64.getTid());
    assertEquals(140, Platform.X86_64.getPriority());
    assertEquals(141, Platform.AARCH64.getPriority());
    assertEquals(251, Platform.X86_64.ioPrioritySet());
    assertEquals(30, Platform.AARCH64.ioPrioritySet());
    assertEquals(252, Platform.X86_64.ioPriorityGet());
    assertEquals(31, Platform.AARCH64.ioPriorityGet());
  }
}
