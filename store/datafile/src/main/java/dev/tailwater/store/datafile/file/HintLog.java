package dev.tailwater.store.datafile.file;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.store.datafile.format.HintFile;
import dev.tailwater.store.datafile.format.HintWriter;
import dev.tailwater.store.datafile.format.RecordData;
import dev.tailwater.store.datafile.format.RecordHeader;
import dev.tailwater.store.files.StoreDirectory;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The hint of the newest data file, written while records are appended to that file, so that they
 * need not be read again: 16 bytes for a record, 64 KiB at a time, and no sync before the file is
 * full. What was written is also useful after a crash.
 *
 * <p>If it cannot be written, nothing else fails: the data file is read once when it is full. Used
 * with the append lock held.
 */
public final class HintLog implements AutoCloseable {
  /** Small files have small blocks, so that tests see several. */
  private static final long BLOCKS_PER_FILE = 256;

  private static final int MIN_BLOCK_BYTES = 256;

  private final StoreDirectory directory;
  private final RandomGenerator random;
  private final int blockBytes;
  private final HintMaker maker;
  private final Background background;
  private final Runnable fullListener;
  private @Nullable HintFile hint;

  /**
   * Begins without a file.
   *
   * @param maker makes the hints that were not written completely
   * @param fullListener called when a file is full
   */
  public HintLog(
      StoreDirectory directory,
      RandomGenerator random,
      long fileBytes,
      HintMaker maker,
      Background background,
      Runnable fullListener) {
    this.directory = directory;
    this.random = random;
    this.blockBytes =
        Math.clamp(fileBytes / BLOCKS_PER_FILE, MIN_BLOCK_BYTES, HintWriter.MAX_BLOCK_BYTES);
    this.maker = maker;
    this.background = background;
    this.fullListener = fullListener;
  }

  /** Begins the hint of a file without records. */
  public void begin(DataFile file) {
    hint = new HintFile(directory, file.header(), random, blockBytes);
  }

  /** Adds a record that was appended. */
  public void added(
      long hash, RecordData data, int moreFlags, long offsetBytes, int lengthBytes, long sequence) {
    HintFile to = hint;
    if (to != null) {
      int flags = data.flags() | moreFlags;
      try {
        to.writer().add(hash, flags, offsetBytes, lengthBytes);
        if ((flags & (RecordHeader.EXPIRY | RecordHeader.TAGS)) != 0) {
          to.writer().addTags(sequence, data.expiresAtMillis(), data.tags());
        }
      } catch (ErrnoException failed) {
        giveUp(to, failed);
      }
    }
  }

  /** As {@link HintWriter#onDurable}, for the newest file. */
  public void onDurable(long endBytes, long sequence, boolean isSealed) {
    HintFile of = hint;
    if (of != null) {
      of.writer().onDurable(endBytes, sequence, isSealed);
    }
  }

  /** Finishes the hint of a full file, which is sealed and durable, and begins that of the next. */
  public void rollOver(DataFile full, DataFile next) {
    HintFile done = hint;
    if (done != null) {
      try {
        done.writer().flush();
      } catch (ErrnoException failed) {
        giveUp(done, failed);
        done = null;
      }
    }
    begin(next);
    if (done == null) {
      maker.makeSoon(full);
    } else {
      syncSoon(done);
    }
    fullListener.run();
  }

  private void syncSoon(HintFile done) {
    if (!background.run(() -> syncAndClose(done))) {
      close(done);
    }
  }

  private void syncAndClose(HintFile done) {
    try {
      done.sync();
    } catch (ErrnoException failed) {
      background.failed(failed); // it is of use as far as the disk has it
    } finally {
      close(done);
    }
  }

  private void close(HintFile done) {
    try {
      done.close();
    } catch (ErrnoException failed) {
      background.failed(failed);
    }
  }

  /** Stops writing a hint; what has been written stays, and is useful as far as it goes. */
  private void giveUp(HintFile failing, ErrnoException failure) {
    hint = null;
    background.failed(failure); // without the rest the next opening takes longer
    close(failing);
  }

  /** Writes the rest of the hint, if its file exists already, and closes it. */
  @Override
  public void close() {
    HintFile last = hint;
    hint = null;
    if (last != null) {
      try {
        if (last.writer().hasBegun()) {
          last.writer().flush();
        }
      } catch (ErrnoException failed) {
        background.failed(failed);
      } finally {
        close(last);
      }
    }
  }
}
