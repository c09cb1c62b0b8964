package dev.tailwater.store.datafile.vacuum;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.store.StoreFailedException;
import dev.tailwater.store.datafile.file.DataFile;
import dev.tailwater.store.datafile.file.DataFiles;
import dev.tailwater.store.datafile.read.ReaderGate;
import dev.tailwater.store.datafile.write.Writer;
import dev.tailwater.store.files.StoreDirectory;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Puts a rewritten file in the place of those that it was made from, while others read and write.
 * From the moment when it has its name the directory means the new file; the old ones are only for
 * those who still look for something there.
 */
public final class Replacement {
  /** Moved under the append lock at a time: some 50 µs. */
  private static final int MOVES_AT_ONCE = 128;

  private static final long PAUSE_NANOS = 20_000;

  private final StoreDirectory directory;
  private final DataFiles files;
  private final Writer writer;
  private final ReaderGate gate;
  private final Consumer<DataFile> forgetting;

  /**
   * @param forgetting is told of each file that is gone
   */
  public Replacement(
      StoreDirectory directory,
      DataFiles files,
      Writer writer,
      ReaderGate gate,
      Consumer<DataFile> forgetting) {
    this.directory = directory;
    this.files = files;
    this.writer = writer;
    this.gate = gate;
    this.forgetting = forgetting;
  }

  /**
   * Replaces the old files. Throws without having changed anything, or ends the taking of writes.
   *
   * @param old neighbours, in order
   */
  DataFile replace(List<DataFile> old, Rewrite rewrite) throws IOException {
    checkComplete(old, rewrite);
    // What was left out because of a newer record may be left out once that one is durable.
    writer.settle();
    name(rewrite);
    try {
      DataFile file = files.addBehind(old.getLast(), rewrite::published);
      move(rewrite.moves(), file);
      for (DataFile each : old) {
        if (each.liveUnits() != 0) {
          throw new IllegalStateException(each.path() + " was replaced and is still in use");
        }
      }
      files.retire(old);
      return file;
    } catch (RuntimeException | Error broken) {
      writer.fail(broken);
      throw broken;
    }
  }

  /** A last look before there is no way back: everything that is live was copied. */
  private static void checkComplete(List<DataFile> old, Rewrite rewrite) {
    long liveUnits = old.stream().mapToLong(DataFile::liveUnits).sum();
    if (liveUnits > rewrite.movedUnits()) {
      throw new IllegalStateException(
          old.getFirst().path()
              + " and "
              + (old.size() - 1)
              + " files behind it: "
              + liveUnits
              + " units are live, but "
              + rewrite.movedUnits()
              + " were found");
    }
  }

  private void name(Rewrite rewrite) throws IOException {
    try {
      directory.publish(rewrite.name().temporaryPath(), rewrite.name().path());
    } catch (ErrnoException failed) {
      if (failed.errno() != Errno.ENOSPC && failed.errno() != Errno.EDQUOT) {
        writer.fail(failed); // whether it has its name is not known
        throw new StoreFailedException(directory.path(), failed);
      }
      throw failed;
    }
    try {
      directory.sync();
    } catch (ErrnoException failed) {
      writer.fail(failed);
      throw new StoreFailedException(directory.path(), failed);
    }
  }

  private void move(MoveList moves, DataFile file) {
    for (long done = 0; done < moves.size(); done += MOVES_AT_ONCE) {
      long from = done;
      long to = Math.min(moves.size(), done + MOVES_AT_ONCE);
      writer.relocate(action -> moves.forEach(from, to, file.number(), action));
      if (writer.hasWaiters()) {
        LockSupport.parkNanos(PAUSE_NANOS); // who waits goes first
      }
    }
  }

  /** Deletes files that were replaced, and lets go of them when all readers have left. */
  void remove(List<DataFile> old) throws IOException {
    try {
      for (DataFile file : old) {
        directory.delete(file.header().name().path());
        directory.delete(file.header().name().hintPath());
      }
    } finally {
      gate.awaitOthers();
      old.forEach(forgetting);
      files.leave(old);
    }
  }
}
