package dev.tailwater.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.binding.Failure;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ErrnoTest {
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "OTHER")
  void nameAndTextAreThoseOfTheCLibrary(Errno errno) throws Throwable {
    assertEquals(errno.name(), fromCLibrary("strerrorname_np", errno.number()));
    assertEquals(errno.text(), fromCLibrary("strerrordesc_np", errno.number()));
    assertEquals(errno, Errno.of(errno.number()));
  }

  /** glibc 2.32 and newer; untranslated, unlike strerror(3). */
  @SuppressWarnings("restricted") // reads a C string that the C library owns
  private static String fromCLibrary(String function, int number) throws Throwable {
    Linker linker = Linker.nativeLinker();
    MethodHandle handle =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow(function),
            FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
    MemorySegment text = (MemorySegment) handle.invokeExact(number);
    return text.reinterpret(256, Arena.global(), null).getString(0);
  }

  @Test
  void unknownNumberIsOtherAndKeepsItsNumber() {
    for (int number : new int[] {-1, 0, 10, 100, 127, 128, 4000}) {
      assertEquals(Errno.OTHER, Errno.of(number));
    }
    ErrnoException failure = Failure.of("pread", "fd 3", 118);
    assertEquals("pread fd 3: errno 118 (see errno(3))", failure.getMessage());
    assertEquals(118, failure.errnoNumber());
  }

  @Test
  void exceptionSaysOperationPathAndErrno() {
    ErrnoException failure = ErrnoException.of("open", "/var/log/x", Errno.EACCES);
    assertEquals("open /var/log/x: EACCES (Permission denied)", failure.getMessage());
    assertEquals("open", failure.operation());
    assertEquals("/var/log/x", failure.subject());
    assertEquals(13, failure.errnoNumber());
    assertEquals(Errno.EACCES, failure.errno());
  }

  @Test
  void subjectOfARelativePathNamesItsDirectory() {
    PosixPath path = PosixPath.of("a/b");
    assertEquals("a/b", Failure.subject(NameCalls.AT_FDCWD, path));
    assertEquals("fd 5/a/b", Failure.subject(5, path));
    assertEquals("/a", Failure.subject(5, PosixPath.of("/a")));
    assertEquals("fd 5", Failure.subject(5, PosixPath.EMPTY));
    assertNotEquals("", Errno.OTHER.text());
    assertTrue(Errno.OTHER.number() < 0);
  }

  @Test
  void aUserIsNotToldNumbersOfDescriptors() {
    String why = ": ENOENT (No such file or directory)";
    for (String[] subject :
        new String[][] {
          {"fd 5", "call"},
          {"fd 5/./a/fd 6/b", "call a/fd 6/b"},
          {"fd 5/a -> fd 60/b", "call a -> b"},
          {"/fd 5/a", "call /fd 5/a"}
        }) {
      ErrnoException failure = ErrnoException.of("call", subject[0], Errno.ENOENT);
      assertEquals(subject[1] + why, ErrnoException.messageForUser(failure));
    }
    assertEquals("why", ErrnoException.messageForUser(new IOException("why")));
  }
}
