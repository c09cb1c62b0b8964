package dev.tailwater.destination.directory;

import java.util.regex.Pattern;

/**
 * The names that an NFS client ("silly rename", fs/nfs/unlink.c of Linux) and libfuse give to a
 * file that is removed or replaced while this machine has it open. Since they cannot keep a file
 * without a name, they remove this name when the last descriptor is closed; if the machine stops
 * before, the file stays. Such a file is no object, since a removed object must not appear again.
 */
final class SillyNames {
  private static final Pattern NAME =
      Pattern.compile("\\.nfs[0-9a-f]{24}|\\.fuse_hidden[0-9a-f]{16}");

  private SillyNames() {}

  /**
   * Returns whether a file's name is a silly name. For files only, since a directory may have any
   * name.
   */
  static boolean contain(String name) {
    return NAME.matcher(name).matches();
  }

  /** Returns whether the object of a key would have such a name. */
  static boolean containLeafOf(String key) {
    return contain(key.substring(key.lastIndexOf('/') + 1));
  }
}
