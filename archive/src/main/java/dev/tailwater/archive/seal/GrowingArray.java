package dev.tailwater.archive.seal;

/**
 * An array that a sealer replaces with a longer one when it needs it, so that what compresses well
 * takes no more memory than that. Used by one thread at a time.
 */
public interface GrowingArray {
  /** Returns the array as it is now. */
  byte[] bytes();

  /** Returns how long the array can get. */
  int mostBytes();

  /**
   * Makes the array longer.
   *
   * @param leastBytes how long it must get, at most {@link #mostBytes}
   * @param usedBytes how much of its beginning is kept
   * @return the new array
   */
  byte[] grow(int leastBytes, int usedBytes);

  /** Returns an array that never needs to grow. */
  static GrowingArray of(byte[] array) {
    return new GrowingArray() {
      @Override
      public byte[] bytes() {
        return array;
      }

      @Override
      public int mostBytes() {
        return array.length;
      }

      @Override
      public byte[] grow(int leastBytes, int usedBytes) {
        throw new IllegalStateException(
            "no room for " + leastBytes + " bytes in an array of " + array.length);
      }
    };
  }

  /**
   * Returns the length of an array that grows: at least twice as long as before, and all of it
   * rather than more than half.
   */
  static int grownBytes(int beforeBytes, int leastBytes, int mostBytes) {
    long grown = Math.max(leastBytes, 2L * beforeBytes);
    return grown > mostBytes / 2 ? mostBytes : (int) grown;
  }
}
