package dev.tailwater.store.datafile.file;

import com.google.errorprone.annotations.concurrent.GuardedBy;
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
  /** Most files. */
  private final int most;

  private volatile @Nullable DataFile[] byNumber = new @Nullable DataFile[8];
  private volatile List<DataFile> inOrder = List.of();

  /** Files that were replaced but can still be found by location. */
  @GuardedBy("this")
  private final List<DataFile> retired = new ArrayList<>();

  /** Files that are gone but may have holders, and so still take their number. */
  @GuardedBy("this")
  private final Map<Integer, DataFile> leaving = new HashMap<>();

  /**
   * Begins without files.
   *
   * @param most the most files that there may be, so that the store can be opened again
   */
  public DataFiles(int most) {
    this.most = most;
  }

  /** Returns whether another file may be created; files with holders count. */
  public synchronized boolean hasRoom() {
    leaving.values().removeIf(left -> !left.isOpen());
    return inOrder.size() + retired.size() + leaving.size() < most;
  }

  /** Returns the file that this location names; null when it is gone. */
  public @Nullable DataFile at(long location) {
    @Nullable DataFile[] files = byNumber;
    int number = Location.file(location);
    return number < files.length ? files[number] : null;
  }

  /** Returns the file that this location names, which nobody can remove at the moment. */
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

  /** Returns all files that are sealed, in order: all but the newest. */
  public List<DataFile> sealed() {
    List<DataFile> all = inOrder;
    return all.subList(0, all.size() - 1);
  }

  /** Adds a new newest file, which is created with a number that no file has. */
  public synchronized DataFile addLast(IntFunction<DataFile> making) {
    DataFile file = making.apply(freeNumber());
    add(file, inOrder.size());
    return file;
  }

  /** Adds an existing file as the newest. */
  public synchronized void add(DataFile file) {
    add(file, inOrder.size());
  }

  /** Adds a file right after another one that it will replace. */
  public synchronized DataFile addBehind(DataFile before, IntFunction<DataFile> making) {
    DataFile file = making.apply(freeNumber());
    add(file, inOrder.indexOf(before) + 1);
    return file;
  }

  /** Returns a number that no file has; throws when there are too many files. */
  @GuardedBy("this")
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

  @GuardedBy("this")
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

  /**
   * Takes replaced files out of the order. They can be found by location until they {@link #leave}.
   */
  public synchronized void retire(List<DataFile> old) {
    List<DataFile> fewer = new ArrayList<>(inOrder);
    fewer.removeAll(old);
    inOrder = List.copyOf(fewer);
    old.forEach(DataFile::retire);
    retired.addAll(old);
  }

  /**
   * Closes replaced files that nobody looks up any more. Their numbers are reused once they have no
   * holders; snapshots are holders too.
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

  /** Returns the length of replaced files that still have holders. */
  public synchronized long heldBytes() {
    leaving.values().removeIf(left -> !left.isOpen());
    long bytes = 0;
    for (DataFile file : leaving.values()) {
      bytes += file.writtenBytes();
    }
    return bytes;
  }

  /** Returns the same files, held until the result is closed. The result never changes. */
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
