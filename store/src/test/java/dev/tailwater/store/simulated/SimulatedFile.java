package dev.tailwater.store.simulated;

import java.util.Arrays;
import java.util.BitSet;
import java.util.random.RandomGenerator;

/**
 * A file as a page cache in front of a disk: writes dirty sectors, a sync copies them to the disk,
 * and a failed sync drops their dirtiness without copying (as Linux does).
 */
final class SimulatedFile {
  private static final int SECTOR_BYTES = 512;

  private byte[] cache = {};
  private byte[] disk = {};
  private final BitSet dirtySectors = new BitSet();
  private long allocatedBytes;
  private int lockHolderFd = -1;

  byte[] content() {
    return cache.clone();
  }

  /** Puts these bytes there behind everybody's back. */
  void replace(byte[] content) {
    cache = content.clone();
    disk = content.clone();
    dirtySectors.clear();
  }

  /** Space that writing needs no more of: what was reserved, and what was written. */
  long allocatedBytes() {
    return Math.max(allocatedBytes, cache.length);
  }

  void allocate(long endBytes) {
    allocatedBytes = Math.max(allocatedBytes, endBytes);
  }

  int sizeBytes() {
    return cache.length;
  }

  int read(byte[] target, long offsetBytes) {
    int length = (int) Math.max(0, Math.min(target.length, cache.length - offsetBytes));
    if (length > 0) {
      System.arraycopy(cache, (int) offsetBytes, target, 0, length);
    }
    return length;
  }

  void write(byte[] source, long offsetBytes) {
    int end = (int) offsetBytes + source.length;
    if (end > cache.length) {
      cache = Arrays.copyOf(cache, end);
    }
    System.arraycopy(source, 0, cache, (int) offsetBytes, source.length);
    if (source.length > 0) {
      dirtySectors.set((int) offsetBytes / SECTOR_BYTES, (end - 1) / SECTOR_BYTES + 1);
    }
  }

  void truncate(int sizeBytes) {
    allocatedBytes = sizeBytes;
    cache = Arrays.copyOf(cache, sizeBytes);
    int sectors = (sizeBytes + SECTOR_BYTES - 1) / SECTOR_BYTES;
    dirtySectors.clear(sectors, Math.max(sectors, dirtySectors.length()));
  }

  void sync() {
    byte[] synced = Arrays.copyOf(disk, cache.length);
    dirtySectors.stream().forEach(sector -> copySector(cache, synced, sector));
    disk = synced;
    dirtySectors.clear();
  }

  void failSync() {
    dirtySectors.clear();
  }

  /**
   * Each dirty sector reaches the disk or not, or leaves there what lay there before; so the size.
   */
  void losePower(RandomGenerator random) {
    int shorter = Math.min(disk.length, cache.length);
    int longer = Math.max(disk.length, cache.length);
    int size =
        switch (random.nextInt(3)) {
          case 0 -> disk.length;
          case 1 -> cache.length;
          default -> random.nextInt(shorter, longer + 1);
        };
    byte[] after = Arrays.copyOf(disk, longer);
    boolean leaksOldBlocks = random.nextInt(4) == 0;
    dirtySectors.stream()
        .forEach(
            sector -> {
              if (random.nextBoolean()) {
                copySector(cache, after, sector);
              } else if (leaksOldBlocks && sector * SECTOR_BYTES >= disk.length) {
                byte[] garbage = new byte[longer];
                random.nextBytes(garbage);
                copySector(garbage, after, sector);
              }
            });
    replace(Arrays.copyOf(after, size));
    lockHolderFd = -1;
  }

  boolean tryLock(int fd) {
    if (lockHolderFd >= 0 && lockHolderFd != fd) {
      return false;
    }
    lockHolderFd = fd;
    return true;
  }

  void unlock(int fd) {
    if (lockHolderFd == fd) {
      lockHolderFd = -1;
    }
  }

  private static void copySector(byte[] from, byte[] to, int sector) {
    int start = sector * SECTOR_BYTES;
    int end = Math.min(start + SECTOR_BYTES, Math.min(from.length, to.length));
    if (start < end) {
      System.arraycopy(from, start, to, start, end - start);
    }
  }
}
