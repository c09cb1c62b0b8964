package dev.tailwater.archive.record;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.RangeSet;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.PackId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a destination has acknowledged: an archive that nobody cut holds all of it. It names what is
 * covered and not the objects that cover it, so merging changes nothing. Not thread-safe.
 */
public final class Acknowledged {
  private final Map<PackGroup, Integer> packs = new TreeMap<>();
  private final Map<PackGroup, Integer> trees = new TreeMap<>();
  private final Map<String, RangeSet> ranges = new LinkedHashMap<>();
  private final Map<String, Long> records = new LinkedHashMap<>();

  /** Adds a pack: with it, all of lower numbers in its group are there. */
  public void add(PackId pack) {
    add(pack.group(), pack.last());
  }

  /** Adds all packs of a group up to this number. */
  public void add(PackGroup group, int last) {
    packs.merge(group, last, Math::max);
  }

  /** Adds all packs of directories and links of a group up to this number. */
  public void addTree(PackGroup group, int last) {
    trees.merge(group, last, Math::max);
  }

  /**
   * Adds bytes of a stream, or a gap that says why they are missing.
   *
   * @param streamPrefix what the keys of the stream begin with
   */
  public void add(String streamPrefix, ByteRange range) {
    ranges.computeIfAbsent(streamPrefix, _ -> new RangeSet()).add(range);
  }

  /**
   * Adds the record of a stream.
   *
   * @param atMillis when it was signed; an older one is not the latest
   */
  public void add(String streamPrefix, long atMillis) {
    records.merge(streamPrefix, atMillis, Math::max);
  }

  /** Adds all that another one has. */
  public void addAll(Acknowledged other) {
    other.packs.forEach(this::add);
    other.trees.forEach(this::addTree);
    other.ranges.forEach((prefix, set) -> set.ranges().forEach(range -> add(prefix, range)));
    other.records.forEach(this::add);
  }

  /** Returns the highest number of each group. */
  public Map<PackGroup, Integer> packs() {
    return packs;
  }

  /** Returns the highest number of each group of packs of directories and links. */
  public Map<PackGroup, Integer> trees() {
    return trees;
  }

  /** Returns the ranges of each stream, by the beginning of its keys. */
  public Map<String, RangeSet> ranges() {
    return ranges;
  }

  /** Returns when the latest record of each stream was signed. */
  public Map<String, Long> records() {
    return records;
  }

  /** Returns how many entries a receipt of all this has. */
  public int size() {
    return packs.size() + trees.size() + ranges.size() + records.size();
  }

  public boolean isEmpty() {
    return size() == 0;
  }
}
