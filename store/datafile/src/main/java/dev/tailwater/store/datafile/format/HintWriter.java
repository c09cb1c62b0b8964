package dev.tailwater.store.datafile.format;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.store.datafile.index.Location;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A writer of a hint, record by record, in the order of the data file. From time to time it writes
 * how much of the data file is durable: up to there the hint is usable, even if nothing follows.
 *
 * <p>Does not sync. When a method throws, what was written before stays usable. Used by one thread
 * at a time.
 */
public final class HintWriter {
  /** Flags share a word with the location, in the place of the file number, which is never 0. */
  static final int PRESENT = 0x80;

  /** The largest block. */
  public static final int MAX_BLOCK_BYTES = BlockWriter.MAX_CONTENT_BYTES;

  /** Of a hint of which little is written, little is in memory. */
  private static final int FIRST_WORDS = 128;

  private static final int WORDS_PER_RECORD = 2;

  /** Makes the file when there is something to be written to it. */
  @FunctionalInterface
  interface Opening {
    BlockWriter open() throws ErrnoException;
  }

  private final long dataSalt;
  private final Opening opening;
  private final int blockWords;
  private long[] words;
  private int filled;
  private long coveredBytes = FileHeader.LENGTH_BYTES;
  private long coveredSequence;
  private boolean sealed;
  private @Nullable BlockWriter out;

  /**
   * Creates a writer for the data file with this header, which has no durable records yet.
   *
   * @param blockBytes so much is written at once, at most {@value #MAX_BLOCK_BYTES}
   */
  HintWriter(FileHeader data, int blockBytes, Opening opening) {
    this.dataSalt = data.salt();
    this.opening = opening;
    this.blockWords = Math.max(WORDS_PER_RECORD, blockBytes / Long.BYTES);
    this.words = new long[Math.min(FIRST_WORDS, blockWords)];
  }

  /**
   * Adds a record.
   *
   * @param flags those of {@link RecordHeader}; with {@link RecordHeader#EXPIRY} or {@link
   *     RecordHeader#TAGS}, {@link #addTags} follows
   */
  public void add(long hash, int flags, long offsetBytes, int recordBytes) throws ErrnoException {
    if (filled + WORDS_PER_RECORD > blockWords) {
      flush();
    }
    word(hash);
    word(Location.of(flags | PRESENT, offsetBytes, recordBytes));
  }

  /**
   * What the record that was added last can be found under besides its key.
   *
   * @param sequence its number
   * @param expiresAtMillis 0: never
   * @param tags as of {@link dev.tailwater.store.files.TagCodec}
   */
  public void addTags(long sequence, long expiresAtMillis, byte[] tags) throws ErrnoException {
    word(sequence);
    word(expiresAtMillis);
    word(tags.length);
    ByteBuffer padded =
        ByteBuffer.allocate(tagWords(tags.length) * Long.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .put(tags)
            .rewind();
    while (padded.hasRemaining()) {
      word(padded.getLong());
    }
  }

  private void word(long word) throws ErrnoException {
    if (filled == words.length) {
      if (filled == blockWords) {
        flush();
      } else {
        words = Arrays.copyOf(words, Math.min(blockWords, 2 * filled));
      }
    }
    words[filled++] = word;
  }

  /**
   * Called when the data file is durable up to here, the end of a batch, a record or a mark; all
   * records before it have been added.
   *
   * @param sequence number of the last record before that, also of one that was vacuumed
   * @param isSealed whether a seal is the last thing before it
   */
  public void onDurable(long endBytes, long sequence, boolean isSealed) {
    coveredBytes = endBytes;
    coveredSequence = sequence;
    sealed = isSealed;
  }

  /** Returns whether anything has been written. */
  public boolean hasBegun() {
    return out != null;
  }

  /** Writes what was added, and what was said to be durable. */
  public void flush() throws ErrnoException {
    BlockWriter to = out;
    if (to == null) {
      to = opening.open();
      out = to;
    }
    to.addAll(BlockKind.RECORDS, words, filled);
    filled = 0;
    to.add(BlockKind.COVERED, dataSalt, coveredBytes, coveredSequence, sealed ? 1 : 0);
    to.flush();
  }

  static int tagWords(int tagBytes) {
    return (tagBytes + Long.BYTES - 1) / Long.BYTES;
  }
}
