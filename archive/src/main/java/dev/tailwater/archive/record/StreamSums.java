package dev.tailwater.archive.record;

import dev.tailwater.archive.DamagedRecordException;
import dev.tailwater.archive.name.StreamId;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The sums of numbers that are made of many streams' ids, in groups. They say which streams are
 * meant to anyone who knows all streams that may be, and take 8 bytes for each group and not 38 for
 * each stream; see {@code docs/format.md}, "What was left behind". Immutable.
 */
public final class StreamSums {
  /** The most groups that there may be. */
  public static final int MAX_GROUPS = 1 << 16;

  private static final HexFormat HEX = HexFormat.of();

  /** Of those of the hash in an id, the ones that number its group, and all. */
  private static final int GROUP_CHARACTERS = 4;

  private static final int HASH_CHARACTERS = 16;

  /** This and the mixing are those of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). */
  private static final long EPOCH_FACTOR = 0x9e37_79b9_7f4a_7c15L;

  private final long[] sums;

  private StreamSums(long[] sums) {
    this.sums = sums;
  }

  /** Adds up the numbers of ids. Thread-safe. */
  public static final class Adder {
    private final AtomicLongArray sums;

    /**
     * Creates one that has no streams yet.
     *
     * @param groups a power of two, at most {@link #MAX_GROUPS}
     */
    public Adder(int groups) {
      if (!isValid(groups)) {
        throw new IllegalArgumentException("not a number of groups: " + groups);
      }
      this.sums = new AtomicLongArray(groups);
    }

    /** Adds a stream, which was not added before. */
    public void add(StreamId stream) {
      sums.addAndGet(group(stream, sums.length()), value(stream));
    }

    /**
     * Returns whether the streams that were added to the group of this one are, by their sum, those
     * that are meant.
     *
     * @param meant in as many groups
     */
    public boolean hasAllOfGroup(StreamSums meant, StreamId stream) {
      int group = group(stream, sums.length());
      return meant.groups() == sums.length() && meant.sums[group] == sums.get(group);
    }

    /** Returns the sums so far. */
    public StreamSums sums() {
      long[] all = new long[sums.length()];
      Arrays.setAll(all, sums::get);
      return new StreamSums(all);
    }
  }

  /** Returns how many groups there are. */
  public int groups() {
    return sums.length;
  }

  /**
   * Returns the same with less detail.
   *
   * @param groups a power of two, at most the number of these groups
   */
  public StreamSums inGroups(int groups) {
    if (!isValid(groups) || groups > sums.length) {
      throw new IllegalArgumentException("not a number of groups: " + groups);
    }
    long[] fewer = new long[groups];
    int each = sums.length / groups;
    for (int i = 0; i < sums.length; i++) {
      fewer[i / each] += sums[i];
    }
    return new StreamSums(fewer);
  }

  /** Returns 16 lower-case hexadecimal digits for each group. */
  public List<String> texts() {
    return Arrays.stream(sums).mapToObj(HEX::toHexDigits).toList();
  }

  static StreamSums parse(JsonFields fields, String name) throws DamagedRecordException {
    List<String> texts = fields.texts(name, MAX_GROUPS);
    if (!isValid(texts.size())) {
      throw fields.damaged(name, "has " + texts.size() + " groups, which is no power of two");
    }
    long[] sums = new long[texts.size()];
    for (int i = 0; i < sums.length; i++) {
      String text = texts.get(i);
      if (text.length() != 2 * Long.BYTES || !text.chars().allMatch(HexFormat::isHexDigit)) {
        throw fields.damaged(name, "holds something else than 16 hexadecimal digits");
      }
      sums[i] = HexFormat.fromHexDigitsToLong(text);
    }
    return new StreamSums(sums);
  }

  private static boolean isValid(int groups) {
    return Integer.bitCount(groups) == 1 && groups > 0 && groups <= MAX_GROUPS;
  }

  /** The first bits of the hash in the id, as many as number the groups. */
  private static int group(StreamId stream, int groups) {
    return (int) ((stream.hashNumber(0, GROUP_CHARACTERS) * groups) >>> (5 * GROUP_CHARACTERS));
  }

  /**
   * The rest of that hash and the epoch, mixed: files of many epochs have other numbers for each.
   */
  private static long value(StreamId stream) {
    long hash = stream.hashNumber(GROUP_CHARACTERS, HASH_CHARACTERS);
    long mixed = hash + stream.epoch() * EPOCH_FACTOR;
    mixed = (mixed ^ (mixed >>> 30)) * 0xbf58_476d_1ce4_e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d0_49bb_1331_11ebL;
    return mixed ^ (mixed >>> 31);
  }
}
