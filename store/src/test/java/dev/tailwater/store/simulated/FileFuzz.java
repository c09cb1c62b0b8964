package dev.tailwater.store.simulated;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/** Damages files in the ways in which disks, people and enemies do. */
public final class FileFuzz {
  private static final int BLOCK_BYTES = 512;

  private FileFuzz() {}

  /** Changes one of these files, maybe with bytes of another, and says how. */
  public static String damage(
      SimulatedFileSystem files, List<String> names, RandomGenerator random) {
    String name = names.get(random.nextInt(names.size()));
    byte[] bytes = files.content(name);
    byte[] other = files.content(names.get(random.nextInt(names.size())));
    int kind = random.nextInt(11);
    if (bytes.length == 0) {
      kind = 3;
    }
    int from = random.nextInt(Math.max(1, bytes.length));
    int to = Math.min(bytes.length, from + 1 + random.nextInt(200));
    switch (kind) {
      case 0 -> bytes[from] ^= (byte) (1 << random.nextInt(8));
      case 1 -> Arrays.fill(bytes, from, to, (byte) 0);
      case 2 -> bytes = Arrays.copyOf(bytes, from);
      case 3 -> bytes = Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(5000));
      case 4 -> { // a length, or what may be taken for one
        int[] lengths = {0, -1, Integer.MAX_VALUE, Integer.MIN_VALUE, 1 << 26, bytes.length};
        if (bytes.length - from >= Integer.BYTES) {
          ByteBuffer.wrap(bytes)
              .order(ByteOrder.LITTLE_ENDIAN)
              .putInt(from, lengths[random.nextInt(lengths.length)]);
        }
      }
      case 5 -> bytes = joined(bytes, 0, bytes.length, bytes, from, bytes.length);
      case 6 -> bytes = joined(bytes, 0, from, bytes, to, bytes.length); // a hole closes
      case 7 -> bytes = joined(bytes, 0, from, other, Math.min(from, other.length), other.length);
      case 8 -> bytes = other;
      case 9 -> swapBlocks(bytes, random);
      default -> {
        byte[] garbage = new byte[to - from];
        random.nextBytes(garbage);
        System.arraycopy(garbage, 0, bytes, from, garbage.length);
      }
    }
    files.replace(name, bytes);
    return name + " damaged in way " + kind + " at " + from;
  }

  private static byte[] joined(
      byte[] first, int from, int to, byte[] second, int secondFrom, int secondTo) {
    byte[] joined =
        Arrays.copyOf(Arrays.copyOfRange(first, from, to), to - from + secondTo - secondFrom);
    System.arraycopy(second, secondFrom, joined, to - from, secondTo - secondFrom);
    return joined;
  }

  private static void swapBlocks(byte[] bytes, RandomGenerator random) {
    int blocks = bytes.length / BLOCK_BYTES;
    if (blocks > 1) {
      int one = random.nextInt(blocks) * BLOCK_BYTES;
      int two = random.nextInt(blocks) * BLOCK_BYTES;
      byte[] kept = Arrays.copyOfRange(bytes, one, one + BLOCK_BYTES);
      System.arraycopy(bytes, two, bytes, one, BLOCK_BYTES);
      System.arraycopy(kept, 0, bytes, two, BLOCK_BYTES);
    }
  }
}
