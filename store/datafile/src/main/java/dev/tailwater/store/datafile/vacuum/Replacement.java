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
 * The replacement of files by the one that they were rewritten to, while others read and write.
 * From the moment when it has its name, the new file counts; the old ones are only for those who
 * are still reading there.
 */
public final class Replacement {
  /** Records moved at a time under the append lock, for some 50 µs. */
  private static final int MOVES_AT_ONCE = 128;

  private static final long PAUSE_NANOS = 20_000;

  private final StoreDirectory directory;
  private final DataFiles files;
  private final Writer writer;
  private final ReaderGate gate;
  private final Consumer<DataFile> forgetting;

  /**
   * Replaces files of one store.
   *
   * @param forgetting called for each file that is gone
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
   * Replaces the old files. When it throws, nothing was changed, or the store has failed.
   *
   * @param old neighbours, in order
   */
  DataFile replace(List<DataFile> old, Rewrite rewrite) throws IOException {
    checkComplete(old, rewrite);
    // An old record may only be dropped when the newer one that replaced it is durable.
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

  /** Checks, before the point of no return, that everything live was copied. */
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
        writer.fail(failed); // it is unknown whether the file has its name
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
        LockSupport.parkNanos(PAUSE_NANOS); // lets waiting writers go first
      }
    }
  }

  /** Deletes files that were replaced, and closes them once all readers have left. */
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
