package dev.tailwater.posix.testkit;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;

/**
 * Sets extended attributes of real files. A test is skipped where the file system has none of that
 * namespace, or where the process may not set trusted ones; every other failure is one of the test.
 */
public final class TestAttributes {
  private static final int ACL_VERSION = 2;
  private static final int NO_ID = -1;
  private static final int USER_ID = 1234;

  private TestAttributes() {}

  /**
   * Returns an ACL as the kernel has it: {@code user::OWNER, user:1234:USER, group::---,
   * mask::USER, other::---}. See acl(5) and {@code linux/posix_acl_xattr.h}.
   *
   * @param owner the permissions of the owner, 0 to 7
   * @param user those of user 1234
   */
  public static byte[] acl(int owner, int user) {
    ByteBuffer acl = ByteBuffer.allocate(44).order(ByteOrder.LITTLE_ENDIAN).putInt(ACL_VERSION);
    entry(acl, 1, owner, NO_ID);
    entry(acl, 2, user, USER_ID);
    entry(acl, 4, 0, NO_ID);
    entry(acl, 16, user, NO_ID);
    entry(acl, 32, 0, NO_ID);
    return acl.array();
  }

  private static void entry(ByteBuffer acl, int tag, int permissions, int id) {
    acl.putShort((short) tag).putShort((short) permissions).putInt(id);
  }

  /** Sets an attribute of a file or directory. */
  public static void set(FileCalls calls, Path path, String name, byte[] value)
      throws ErrnoException {
    int fd = calls.open(FileCalls.AT_FDCWD, PosixPath.of(path), Set.of(), 0);
    try {
      set(calls, fd, name, value);
    } finally {
      calls.close(fd);
    }
  }

  /** Sets an attribute of an open file or directory. */
  public static void set(FileCalls calls, int fd, String name, byte[] value) throws ErrnoException {
    try {
      calls.setAttribute(fd, name, value);
    } catch (ErrnoException e) {
      if (e.errno() == Errno.EOPNOTSUPP) {
        Assumptions.abort("this file system has no attributes such as " + name);
      }
      if (e.errno() == Errno.EPERM && name.startsWith("trusted.")) {
        Assumptions.abort("this process may not set trusted attributes");
      }
      throw e;
    }
  }
}
