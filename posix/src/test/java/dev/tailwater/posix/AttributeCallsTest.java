package dev.tailwater.posix;

import static dev.tailwater.posix.NameCalls.AT_FDCWD;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.value.OpenFlag;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AttributeCallsTest {
  private static final String NAME = "user.comment";

  private final FileCalls calls = LinuxFileCalls.create();
  @TempDir private Path directory;
  private int fd;

  @BeforeEach
  void createFile() throws IOException {
    fd =
        calls.open(
            AT_FDCWD,
            PosixPath.of(directory.resolve("file")),
            EnumSet.of(OpenFlag.READ_WRITE, OpenFlag.CREATE),
            0600);
  }

  @AfterEach
  void closeFile() throws IOException {
    calls.close(fd);
  }

  private void set(String name, byte[] value) throws IOException {
    try {
      calls.setAttribute(fd, name, value);
    } catch (ErrnoException e) {
      assumeTrue(
          e.errno() != Errno.EOPNOTSUPP, "this file system has no attributes such as " + name);
      throw e;
    }
  }

  private List<String> userNames() throws IOException {
    return calls.attributeNames(fd).stream().filter(name -> name.startsWith("user.")).toList();
  }

  @Test
  void givesBackWhatWasSet() throws IOException {
    assertEquals(List.of(), userNames());
    set(NAME, new byte[] {0, 1, (byte) 0xFF});
    set("user.empty", new byte[0]);
    set("user.gr\u00f6\u00dfe", new byte[] {7}); // Its bytes are no UTF-8.
    assertEquals(
        List.of(NAME, "user.empty", "user.gr\u00f6\u00dfe"),
        userNames().stream().sorted().toList());
    assertArrayEquals(new byte[] {0, 1, (byte) 0xFF}, calls.attribute(fd, NAME));
    assertArrayEquals(new byte[0], calls.attribute(fd, "user.empty"));
    set(NAME, new byte[] {2});
    assertArrayEquals(new byte[] {2}, calls.attribute(fd, NAME));
    calls.removeAttribute(fd, NAME);
    assertEquals(2, userNames().size());
    Expect.errno(Errno.ENODATA, () -> calls.removeAttribute(fd, NAME));
  }

  @Test
  void failuresSayWhichAttribute() {
    ErrnoException absent = Expect.errno(Errno.ENODATA, () -> calls.attribute(fd, NAME));
    assertEquals(
        "fgetxattr fd " + fd + " user.comment: ENODATA (No data available)", absent.getMessage());
    Expect.errno(Errno.EBADF, () -> calls.attributeNames(-1));
    ErrnoException unknown =
        Expect.errno(Errno.EOPNOTSUPP, () -> calls.setAttribute(fd, "no.such", new byte[1]));
    assertEquals("fsetxattr", unknown.operation());
    assertEquals("fd " + fd + " no.such", unknown.subject());
    Expect.errno(
        Errno.ERANGE, () -> calls.setAttribute(fd, "user." + "x".repeat(300), new byte[1]));
    Expect.errno(Errno.E2BIG, () -> calls.setAttribute(fd, NAME, new byte[65_537]));
    assertThrows(IllegalArgumentException.class, () -> calls.attribute(fd, "user.a\0b"));
  }
}
