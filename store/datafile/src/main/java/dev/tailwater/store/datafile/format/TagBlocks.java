package dev.tailwater.store.datafile.format;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.store.WriteOptions;
import dev.tailwater.store.datafile.index.TagIndex;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * The blocks of a tag index: for each index tag, its length in bytes, its text in UTF-8 padded with
 * zeros, and its pairs of hash and record number.
 */
final class TagBlocks {
  /** A tag, and the prefix that tells it from an expiry. */
  private static final int MAX_TEXT_BYTES = WriteOptions.MAX_TAG_BYTES;

  private TagBlocks() {}

  /** Says which pairs are wanted. */
  @FunctionalInterface
  interface PairFilter {
    boolean wants(long hash, long number);
  }

  static void write(TagIndex tagIndex, PairFilter filter, BlockWriter out) throws ErrnoException {
    tagIndex.forEach(
        new TagIndex.Visitor<ErrnoException>() {
          @Override
          public void indexTag(String indexTag, long pairs) throws ErrnoException {
            byte[] text = indexTag.getBytes(StandardCharsets.UTF_8);
            out.add(BlockKind.TAG, text.length);
            ByteBuffer words =
                ByteBuffer.allocate(words(text.length) * Long.BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .put(text)
                    .rewind();
            while (words.hasRemaining()) {
              out.add(BlockKind.TEXT, words.getLong());
            }
          }

          @Override
          public void pair(long hash, long number) throws ErrnoException {
            if (filter.wants(hash, number)) {
              out.add(BlockKind.PAIRS, hash, number);
            }
          }
        });
  }

  private static int words(int bytes) {
    return (bytes + Long.BYTES - 1) / Long.BYTES;
  }

  /** Takes the pairs that are read. */
  @FunctionalInterface
  interface PairVisitor {
    void pair(String indexTag, long hash, long number) throws IOException;
  }

  /**
   * Reads all index tags up to the end of the file.
   *
   * @param more whether a block has been begun
   * @return the number of index tags; -1 when they are not as they were written
   */
  static long read(BlockReader in, boolean more, PairVisitor visitor) throws IOException {
    long indexTags = 0;
    boolean goesOn = more;
    while (goesOn) {
      if (!in.moveTo(BlockKind.TAG, 1)) {
        return -1;
      }
      long textBytes = in.nextLong();
      if (textBytes < 1 || textBytes > MAX_TEXT_BYTES) {
        return -1;
      }
      ByteBuffer text =
          ByteBuffer.allocate(words((int) textBytes) * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
      while (text.hasRemaining()) {
        if (!in.moveTo(BlockKind.TEXT, 1)) {
          return -1;
        }
        text.putLong(in.nextLong());
      }
      String indexTag = decoded(text.flip().limit((int) textBytes));
      if (indexTag.isEmpty()) {
        return -1;
      }
      indexTags++;
      goesOn = readPairs(in, indexTag, visitor);
    }
    return indexTags;
  }

  /** Whether another block follows. */
  private static boolean readPairs(BlockReader in, String indexTag, PairVisitor visitor)
      throws IOException {
    boolean more = in.remaining() > 0 || in.next();
    while (more && in.kind() == BlockKind.PAIRS) {
      while (in.remaining() >= 2) {
        long hash = in.nextLong();
        long number = in.nextLong();
        if (number > 0) {
          visitor.pair(indexTag, hash, number);
        }
      }
      more = in.next();
    }
    return more;
  }

  /** Empty when it is no text. */
  private static String decoded(ByteBuffer text) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .decode(text)
          .toString();
    } catch (CharacterCodingException notText) {
      return "";
    }
  }
}
