package dev.tailwater.io.mount;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import java.util.Set;

/**
 * Where a file system keeps its data, according to the magic number of statfs(2) (from
 * linux/magic.h and the sources of the file systems).
 */
public enum FileSystemKind {
  /** On a disk or in memory of this machine; every change goes through this kernel. */
  LOCAL,
  /**
   * Served by another machine or by a program: a read may wait for it, and inotify(7) does not
   * report changes by others.
   */
  REMOTE,
  /** Not in the list: watched like a local one, read like a remote one. */
  UNKNOWN;

  private static final Set<Long> LOCAL_TYPES =
      Set.of(
          0xEF53L, // ext2, ext3, ext4
          0x58465342L, // xfs
          0x9123683EL, // btrfs
          0x01021994L, // tmpfs
          0x858458F6L, // ramfs
          0xF2F52010L, // f2fs
          0x794C7630L, // overlayfs
          0x2FC12FC1L, // zfs
          0xCA451A4EL, // bcachefs
          0x3153464AL, // jfs
          0x52654973L, // reiserfs
          0x3434L, // nilfs2
          0x4D44L, // vfat
          0x2011BAB0L, // exfat
          0x7366746EL, // ntfs3
          0xE0F5E1E2L, // erofs
          0x73717368L); // squashfs

  private static final Set<Long> REMOTE_TYPES =
      Set.of(
          0x6969L, // nfs
          0x517BL, // smb
          0xFF534D42L, // cifs
          0xFE534D42L, // smb2
          0x65735546L, // fuse, virtiofs
          0x01021997L, // 9p
          0x00C36400L, // ceph
          0x0BD00BD0L, // lustre
          0x5346414FL, // afs
          0x6B414653L, // afs (kAFS)
          0x73757245L, // coda
          0x564CL, // ncp
          0x01161970L, // gfs2
          0x7461636FL, // ocfs2
          0x47504653L, // gpfs
          0x19830326L, // beegfs
          0x20030528L, // orangefs
          0xAAD7AAEAL, // panfs
          0x786F4256L, // vboxsf
          0xBACBACBCL); // vmhgfs

  /** Returns the kind for a magic number. */
  public static FileSystemKind ofType(long type) {
    long magic = type & 0xFFFF_FFFFL;
    if (LOCAL_TYPES.contains(magic)) {
      return LOCAL;
    }
    return REMOTE_TYPES.contains(magic) ? REMOTE : UNKNOWN;
  }

  /** Returns the kind of the file system of an open file. One statfs. */
  public static FileSystemKind of(FileCalls calls, int fd) throws ErrnoException {
    return ofType(calls.statfs(fd).type());
  }

  /** Returns whether inotify(7) misses changes, so that directories must be polled. */
  public boolean inotifyBlind() {
    return this == REMOTE;
  }

  /** Returns whether reading a resident page never waits. */
  public boolean allowsCriticalReads() {
    return this == LOCAL;
  }
}
