package dev.tailwater.io.read;

import java.util.Arrays;

/**
 * Remembers where cold reads of files ended. What is resident right there was brought in by the
 * read-ahead of that very read, and must go the same way. Keeps the most recent files; allocates
 * nothing after construction.
 */
final class ColdStreams {
  private static final int FILES = 64;

  private final long[] devices = new long[FILES];
  private final long[] inodes = new long[FILES];
  private final long[] nextOffsets = new long[FILES];
  private int oldest;

  ColdStreams() {
    Arrays.fill(nextOffsets, -1);
  }

  /** Whether a read at this offset continues a cold one. */
  boolean continues(long device, long inode, long offsetBytes) {
    int slot = slot(device, inode);
    return slot >= 0 && nextOffsets[slot] == offsetBytes;
  }

  void endedAt(long device, long inode, long offsetBytes) {
    int slot = slot(device, inode);
    if (slot < 0) {
      slot = oldest;
      oldest = (oldest + 1) % FILES;
      devices[slot] = device;
      inodes[slot] = inode;
    }
    nextOffsets[slot] = offsetBytes;
  }

  /** The end of the file was reached: what comes now is written by its program, not read ahead. */
  void caughtUp(long device, long inode) {
    int slot = slot(device, inode);
    if (slot >= 0) {
      nextOffsets[slot] = -1;
    }
  }

  private int slot(long device, long inode) {
    for (int i = 0; i < FILES; i++) {
      if (nextOffsets[i] >= 0 && inodes[i] == inode && devices[i] == device) {
        return i;
      }
    }
    return -1;
  }
}
