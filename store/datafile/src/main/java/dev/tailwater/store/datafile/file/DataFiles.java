package dev.tailwater.store.datafile.file;

import dev.tailwater.store.datafile.index.Location;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The open data files of a store, by number and in order. Reading is thread-safe. */
public final class DataFiles implements AutoCloseable {
  /** How many there may be. */
  private final int most;

  private volatile @Nullable DataFile[] byNumber = new @Nullable DataFile[8];
  private volatile List<DataFile> inOrder = List.of();

  /** Out of the order, and still found by location. */
  private final List<DataFile> retired = new ArrayList<>();

  /** Gone, but perhaps held by somebody, and so is the number. */
  private final Map<Integer, DataFile> leaving = new HashMap<>();

  /**
   * No files.
   *
   * @param most how many there may be, and stay openable
   */
  public DataFiles(int most) {
    this.most = most;
  }

  /** Whether one more may be made; those that are held by somebody count. */
  public synchronized boolean hasRoom() {
    leaving.values().removeIf(left -> !left.isOpen());
    return inOrder.size() + retired.size() + leaving.size() < most;
  }

  /** The file that this location names; null when it is gone. */
  public @Nullable DataFile at(long location) {
    @Nullable DataFile[] files = byNumber;
    int number = Location.file(location);
    return number < files.length ? files[number] : null;
  }

  /** One that is there, because nobody takes it away at the moment. */
  public DataFile owning(long location) {
    DataFile file = at(location);
    if (file == null) {
      throw new IllegalStateException("no file " + Location.file(location));
    }
    return file;
  }

  public List<DataFile> inOrder() {
    return inOrder;
  }

  /** All to which nothing is appended any more, in order. */
  public List<DataFile> sealed() {
    List<DataFile> all = inOrder;
    return all.subList(0, all.size() - 1);
  }

  /** Adds a file behind all others, which is made with a number that no file has. */
  public synchronized DataFile addLast(IntFunction<DataFile> making) {
    DataFile file = making.apply(freeNumber());
    add(file, inOrder.size());
    return file;
  }

  /** Adds a file that was there before, behind all others. */
  public synchronized void add(DataFile file) {
    add(file, inOrder.size());
  }

  /** Adds a file behind another one, in whose place it will stand. */
  public synchronized DataFile addBehind(DataFile before, IntFunction<DataFile> making) {
    DataFile file = making.apply(freeNumber());
    add(file, inOrder.indexOf(before) + 1);
    return file;
  }

  /** A number that no file has; throws when there are too many files. */
  private int freeNumber() {
    @Nullable DataFile[] files = byNumber;
    for (int number = 1; number < files.length; number++) {
      if (files[number] == null && !leaving.containsKey(number)) {
        return number;
      }
    }
    if (files.length > Location.MAX_FILE) {
      throw new IllegalStateException("the store has " + Location.MAX_FILE + " files");
    }
    return files.length;
  }

  private void add(DataFile file, int place) {
    leaving.values().removeIf(left -> !left.isOpen());
    @Nullable DataFile[] files = byNumber;
    int length = Math.max(files.length, Math.min(2 * file.number(), Location.MAX_FILE + 1));
    files = Arrays.copyOf(files, Math.max(length, file.number() + 1));
    files[file.number()] = file;
    byNumber = files;
    List<DataFile> more = new ArrayList<>(inOrder);
    more.add(place, file);
    inOrder = List.copyOf(more);
  }

  /** Takes files out of the order. They can still be found by location, until they are left. */
  public synchronized void retire(List<DataFile> old) {
    List<DataFile> fewer = new ArrayList<>(inOrder);
    fewer.removeAll(old);
    inOrder = List.copyOf(fewer);
    old.forEach(DataFile::retire);
    retired.addAll(old);
  }

  /**
   * Lets go of files that nobody looks for any more. Their numbers are given to others once nobody
   * holds them, snapshots included.
   */
  public synchronized void leave(List<DataFile> old) throws IOException {
    @Nullable DataFile[] files = byNumber.clone();
    for (DataFile file : old) {
      files[file.number()] = null;
      leaving.put(file.number(), file);
    }
    byNumber = files;
    retired.removeAll(old);
    closeAll(old);
  }

  /** Bytes of files that were replaced, and are there only for those who hold them. */
  public synchronized long heldBytes() {
    leaving.values().removeIf(left -> !left.isOpen());
    long bytes = 0;
    for (DataFile file : leaving.values()) {
      bytes += file.writtenBytes();
    }
    return bytes;
  }

  /** The same files, kept open until they are closed once more here. Nobody changes them. */
  public synchronized DataFiles retained() {
    DataFiles same = new DataFiles(most);
    same.byNumber = byNumber;
    same.inOrder = inOrder;
    inOrder.forEach(DataFile::retain);
    return same;
  }

  @Override
  public synchronized void close() throws IOException {
    List<DataFile> all = new ArrayList<>(inOrder);
    all.addAll(retired);
    closeAll(all);
  }

  private static void closeAll(List<DataFile> files) throws IOException {
    @Nullable IOException first = null;
    for (DataFile file : files) {
      try {
        file.close();
      } catch (IOException failed) {
        if (first == null) {
          first = failed;
        } else {
          first.addSuppressed(failed);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
