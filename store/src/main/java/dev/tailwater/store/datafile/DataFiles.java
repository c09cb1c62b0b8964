package dev.tailwater.store.datafile;

import dev.tailwater.store.index.Location;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The open data files of a store, by number and in order. Reading is thread-safe. */
final class DataFiles implements AutoCloseable {
  private volatile @Nullable DataFile[] byNumber = new @Nullable DataFile[8];
  private volatile List<DataFile> inOrder = List.of();

  /** The file that this location names; null when it is gone. */
  @Nullable DataFile at(long location) {
    @Nullable DataFile[] files = byNumber;
    int number = Location.file(location);
    return number < files.length ? files[number] : null;
  }

  /** One that is there, because nobody takes it away at the moment. */
  DataFile owning(long location) {
    DataFile file = at(location);
    if (file == null) {
      throw new IllegalStateException("no file " + Location.file(location));
    }
    return file;
  }

  List<DataFile> inOrder() {
    return inOrder;
  }

  /** A number that no file has; throws when there are too many files. */
  synchronized int freeNumber() {
    @Nullable DataFile[] files = byNumber;
    for (int number = 1; number < files.length; number++) {
      if (files[number] == null) {
        return number;
      }
    }
    if (files.length > Location.MAX_FILE) {
      throw new IllegalStateException("the store has " + Location.MAX_FILE + " files");
    }
    return files.length;
  }

  /** Adds a file behind all others. */
  synchronized void add(DataFile file) {
    @Nullable DataFile[] files = byNumber;
    int length = Math.max(files.length, Math.min(2 * file.number(), Location.MAX_FILE + 1));
    files = Arrays.copyOf(files, Math.max(length, file.number() + 1));
    files[file.number()] = file;
    byNumber = files;
    List<DataFile> more = new ArrayList<>(inOrder);
    more.add(file);
    inOrder = List.copyOf(more);
  }

  /** The same files, kept open until they are closed once more here. Nobody changes them. */
  synchronized DataFiles retained() {
    DataFiles same = new DataFiles();
    same.byNumber = byNumber;
    same.inOrder = inOrder;
    inOrder.forEach(DataFile::retain);
    return same;
  }

  @Override
  public void close() throws IOException {
    @Nullable IOException first = null;
    for (DataFile file : inOrder) {
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
