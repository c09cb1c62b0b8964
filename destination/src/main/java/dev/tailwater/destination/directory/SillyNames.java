package dev.tailwater.destination.directory;

import java.util.regex.Pattern;

/**
 * The names that a file gets which is removed, or replaced, while this machine has it open: an NFS
 * client ("silly rename", fs/nfs/unlink.c of Linux) and libfuse cannot keep a file without a name,
 * and take that one away when the last descriptor is closed. A machine that goes down before leaves
 * it there. Such a file is no object: who removed the object must not find it again.
 */
final class SillyNames {
  private static final Pattern NAME =
      Pattern.compile("\\.nfs[0-9a-f]{24}|\\.fuse_hidden[0-9a-f]{16}");

  private SillyNames() {}

  /** Whether it is one; only of a file, a directory may be called so. */
  static boolean contain(String name) {
    return NAME.matcher(name).matches();
  }

  /** Whether an object of that key would have such a name. */
  static boolean containLeafOf(String key) {
    return contain(key.substring(key.lastIndexOf('/') + 1));
  }
}
