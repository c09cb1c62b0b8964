package dev.tailwater.io.attribute;

import dev.tailwater.posix.AttributeCalls;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Reads the extended attributes of open files and directories that are {@linkplain
 * ExtendedAttributes#isKept kept}. One without any costs one call. For one thread.
 */
public final class AttributeReader {
  /** The labels of SELinux follow from the policy of a machine; restorecon(8) sets them. */
  private static final String SELINUX = "security.selinux";

  /** XFS lists an ACL a second time in its own form, to root. */
  private static final String XFS_ACL = "trusted.SGI_ACL_";

  private final AttributeCalls calls;
  private long notKept;

  public AttributeReader(AttributeCalls calls) {
    this.calls = calls;
  }

  /**
   * Returns how many attributes were not kept since this was asked last: of other namespaces, or
   * beyond what one file may have. Labels of SELinux do not count, nor what is kept in another
   * form.
   */
  public long takeNotKept() {
    long count = notKept;
    notKept = 0;
    return count;
  }

  /** Reads the attributes; none on a file system that has none. */
  public ExtendedAttributes read(int fd) throws ErrnoException {
    Map<String, byte[]> values = new TreeMap<>();
    int leftBytes = ExtendedAttributes.MAX_BYTES;
    try {
      for (String name : calls.attributeNames(fd)) {
        if (!ExtendedAttributes.isKept(name)) {
          notKept += name.equals(SELINUX) || name.startsWith(XFS_ACL) ? 0 : 1;
          continue;
        }
        Optional<byte[]> value = value(fd, name);
        int bytes = name.length() + value.map(v -> v.length).orElse(0);
        if (bytes > leftBytes) {
          notKept++;
        } else if (value.isPresent()) {
          values.put(name, value.get());
          leftBytes -= bytes;
        }
      }
    } catch (ErrnoException e) {
      if (e.errno() != Errno.EOPNOTSUPP && e.errno() != Errno.ENOSYS) {
        throw e;
      }
    }
    return ExtendedAttributes.of(values);
  }

  /** Reads a value; empty if the attribute was removed since it was listed. */
  private Optional<byte[]> value(int fd, String name) throws ErrnoException {
    try {
      return Optional.of(calls.attribute(fd, name));
    } catch (ErrnoException e) {
      if (e.errno() == Errno.ENODATA) {
        return Optional.empty();
      }
      throw e;
    }
  }
}
