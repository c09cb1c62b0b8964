package dev.tailwater.archive.pack;

import dev.tailwater.archive.pack.VarintReader.MalformedException;

/** How many items of a kind a directory may have, wherever in it they are. */
final class ItemAllowance {
  private final int most;
  private final String what;
  private int left;

  ItemAllowance(int most, String what) {
    this.most = most;
    this.what = what;
    this.left = most;
  }

  /** Reads how many items follow, each of at least this many bytes. */
  int count(VarintReader in, int minItemBytes) throws MalformedException {
    int count = in.count(minItemBytes, what);
    if (count > left) {
      throw new MalformedException("has more than " + most + " " + what);
    }
    left -= count;
    return count;
  }
}
