package dev.tailwater.io;

import java.util.Set;

/**
 * File systems whose files the kernel makes up while they are read. Told by the magic number of
 * statfs(2); numbers from linux/magic.h and the file systems' own sources.
 */
public final class PseudoFileSystem {
  private static final Set<Long> TYPES =
      Set.of(
          0x9FA0L, // proc
          0x62656572L, // sysfs
          0x64626720L, // debugfs
          0x74726163L, // tracefs
          0x27E0EBL, // cgroup
          0x63677270L, // cgroup2
          0x73636673L, // securityfs
          0x62656570L, // configfs
          0xCAFE4A11L, // bpf
          0xF97CFF8CL, // selinuxfs
          0x43415D53L, // smackfs
          0x42494E4DL, // binfmt_misc
          0x65735543L, // fusectl
          0x19800202L, // mqueue
          0x6E736673L, // namespaces
          0x07655821L); // resctrl

  private PseudoFileSystem() {}

  /**
   * Returns whether files of a file system have no bytes that lie anywhere.
   *
   * @param type f_type of statfs(2); the low 32 bits count
   */
  public static boolean holds(long type) {
    return TYPES.contains(type & 0xFFFF_FFFFL);
  }
}
