package dev.tailwater.io.watch.name;

import dev.tailwater.posix.PosixPath;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The known files of one directory by name. About 30 bytes for each file and the bytes of its name,
 * in pages of sorted names: whoever chooses the names can neither make them collide nor make a step
 * take longer than the logarithm of their number. For one thread.
 *
 * <p>A mark on each file tells those that a listing has met from those that it has not.
 */
public final class KnownFiles {
  private static final NamePage[] NONE = {};

  /** Two pages that are no fuller than this together become one. */
  private static final int JOINED_FILES = NamePage.MAX_FILES * 3 / 4;

  /** Sorted; no page is empty. Null beyond the last one. */
  private NamePage[] pages = NONE;

  private int pageCount;
  private int size;
  private long nameBytes;

  /** Returns the number of files. */
  public int size() {
    return size;
  }

  /** Returns the length of all names together. */
  public long nameBytes() {
    return nameBytes;
  }

  /** Returns the heap that the files take, without this object. */
  public long memoryBytes() {
    long bytes = 0;
    for (int i = 0; i < pageCount; i++) {
      bytes += pages[i].memoryBytes();
    }
    return bytes;
  }

  /** Returns what is known of the file with a name. */
  public Optional<KnownFile> find(PosixPath name) {
    if (pageCount == 0) {
      return Optional.empty();
    }
    NamePage page = pages[pageOf(name)];
    int at = page.find(name);
    return at < 0 ? Optional.empty() : Optional.of(page.file(at));
  }

  public boolean contains(PosixPath name) {
    return pageCount > 0 && pages[pageOf(name)].find(name) >= 0;
  }

  /** Returns the last page whose first name is not greater; the first one if there is none. */
  private int pageOf(PosixPath name) {
    int low = 0;
    int high = pageCount - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (pages[middle].compare(name, 0) < 0) {
        high = middle - 1;
      } else {
        low = middle;
      }
    }
    return low;
  }

  /** Adds a file, or replaces what is known of it; it is marked then. */
  public void put(PosixPath name, KnownFile file) {
    if (pageCount == 0) {
      insertPage(0, new NamePage());
    }
    int index = pageOf(name);
    int at = pages[index].find(name);
    if (at >= 0) {
      pages[index].set(at, file);
      return;
    }
    int position = -(at + 1);
    if (pages[index].isFull()) {
      index = makeRoom(index, position);
      position = -(pages[index].find(name) + 1);
    }
    pages[index].insert(position, name, file);
    size++;
    nameBytes += name.lengthBytes();
  }

  /**
   * Splits a full page; returns the page in which there is room at the position. Names that come in
   * order, as many programs make them, leave full pages behind.
   */
  private int makeRoom(int index, int position) {
    if (position == NamePage.MAX_FILES) {
      insertPage(index + 1, new NamePage());
      return index + 1;
    }
    if (position == 0) {
      insertPage(index, new NamePage());
      return index;
    }
    int half = NamePage.MAX_FILES / 2;
    insertPage(index + 1, pages[index].split(half));
    return position <= half ? index : index + 1;
  }

  private void insertPage(int index, NamePage page) {
    if (pageCount == pages.length) {
      pages = Arrays.copyOf(pages, pageCount + 1 + pageCount / 4);
    }
    System.arraycopy(pages, index, pages, index + 1, pageCount - index);
    pages[index] = page;
    pageCount++;
  }

  /** Removes a file; returns what was known of it. */
  public Optional<KnownFile> remove(PosixPath name) {
    if (pageCount == 0) {
      return Optional.empty();
    }
    int index = pageOf(name);
    NamePage page = pages[index];
    int at = page.find(name);
    if (at < 0) {
      return Optional.empty();
    }
    KnownFile file = page.file(at);
    page.remove(at);
    size--;
    nameBytes -= name.lengthBytes();
    if (page.count() == 0) {
      removePage(index);
    } else {
      joinSmall(index);
    }
    return Optional.of(file);
  }

  private void joinSmall(int index) {
    if (pages[index].count() >= NamePage.MAX_FILES / 4) {
      return;
    }
    int left = index + 1 < pageCount ? index : index - 1;
    if (left >= 0 && pages[left].count() + pages[left + 1].count() <= JOINED_FILES) {
      pages[left].join(pages[left + 1]);
      removePage(left + 1);
    }
  }

  @SuppressWarnings("NullAway") // Beyond the last page there is none.
  private void removePage(int index) {
    System.arraycopy(pages, index + 1, pages, index, pageCount - index - 1);
    pageCount--;
    pages[pageCount] = null;
    if (pageCount < pages.length / 2) {
      pages = Arrays.copyOf(pages, pageCount);
    }
  }

  /** Removes all files. */
  public void clear() {
    pages = NONE;
    pageCount = 0;
    size = 0;
    nameBytes = 0;
  }

  /**
   * Returns some of the names that come after another one in order, whether or not that is there;
   * an empty list only if there are none. Begin with {@link PosixPath#EMPTY}. So all files can be
   * looked at in portions, while some are added and removed.
   */
  public List<PosixPath> namesAfter(PosixPath name) {
    return namesAfter(name, /* onlyUnmarked= */ false);
  }

  /** As {@link #namesAfter}, but passes over files that are marked. */
  public List<PosixPath> unmarkedAfter(PosixPath name) {
    return namesAfter(name, /* onlyUnmarked= */ true);
  }

  private List<PosixPath> namesAfter(PosixPath name, boolean onlyUnmarked) {
    if (pageCount == 0) {
      return List.of();
    }
    int index = pageOf(name);
    int found = pages[index].find(name);
    int at = found < 0 ? -(found + 1) : found + 1;
    List<PosixPath> names = new ArrayList<>();
    while (index < pageCount && names.isEmpty()) {
      NamePage page = pages[index];
      for (; at < page.count(); at++) {
        if (!onlyUnmarked || !page.isMarked(at)) {
          names.add(page.name(at));
        }
      }
      index++;
      at = 0;
    }
    return names;
  }

  /** Marks a file; returns whether it is there. */
  public boolean mark(PosixPath name) {
    if (pageCount == 0) {
      return false;
    }
    NamePage page = pages[pageOf(name)];
    int at = page.find(name);
    if (at >= 0) {
      page.mark(at);
    }
    return at >= 0;
  }

  /** Removes all marks. */
  public void clearMarks() {
    for (int i = 0; i < pageCount; i++) {
      pages[i].clearMarks();
    }
  }
}
