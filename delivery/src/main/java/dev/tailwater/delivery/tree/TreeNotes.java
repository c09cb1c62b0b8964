package dev.tailwater.delivery.tree;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.PackId;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * What the local state remembers of the directories that a destination was told.
 *
 * @param digest a number for all that was told
 * @param group the group of packs that tells it
 * @param nextNumber the number of its next pack
 */
public record TreeNotes(long digest, PackGroup group, int nextNumber) {
  private static final int FIXED_BYTES = Long.BYTES + Integer.BYTES;

  /** Returns the value for the store. */
  public byte[] encode() {
    byte[] text = group.text().getBytes(US_ASCII);
    return ByteBuffer.allocate(FIXED_BYTES + text.length)
        .putLong(digest)
        .putInt(nextNumber)
        .put(text)
        .array();
  }

  /** Reads a value; empty when it is not one. */
  public static Optional<TreeNotes> decode(byte[] value) {
    if (value.length <= FIXED_BYTES) {
      return Optional.empty();
    }
    ByteBuffer in = ByteBuffer.wrap(value);
    long digest = in.getLong();
    int nextNumber = in.getInt();
    String text = new String(Arrays.copyOfRange(value, FIXED_BYTES, value.length), US_ASCII);
    return PackGroup.isValid(text) && nextNumber > 0 && nextNumber <= PackId.MAX_SEQUENCE
        ? Optional.of(new TreeNotes(digest, new PackGroup(text), nextNumber))
        : Optional.empty();
  }
}
