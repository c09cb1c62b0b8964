package dev.tailwater.delivery.watch;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.posix.FileCalls;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The open descriptors of files that left memory, by a hash of their names: 16 bytes a place, of
 * which three in eight are in use at least while there are more and more. Thread-safe; nothing here
 * blocks but {@link #close}.
 */
final class QuietDescriptors {
  private static final int MIN_PLACES = 16;
  private static final int FREE = -1;
  private static final int AT_ONCE = 1_024;

  private final FileCalls calls;

  @GuardedBy("this")
  private long[] names = new long[MIN_PLACES];

  @GuardedBy("this")
  private int[] fds = new int[MIN_PLACES];

  @GuardedBy("this")
  private int[] attributes = new int[MIN_PLACES];

  @GuardedBy("this")
  private int size;

  /** Where {@link #some} looks next. */
  @GuardedBy("this")
  private int hand;

  @GuardedBy("this")
  private boolean closed;

  /**
   * A file that is held open.
   *
   * @param attributes a hash of those that it had when it left memory
   */
  record Held(long nameHash, int fd, int attributes) {}

  QuietDescriptors(FileCalls calls) {
    this.calls = calls;
    Arrays.fill(fds, FREE);
  }

  FileCalls calls() {
    return calls;
  }

  /** Takes over a descriptor; false when the name has one, or nothing is taken over any more. */
  synchronized boolean add(Held held) {
    if (closed) {
      return false;
    }
    if (4L * (size + 1) > 3L * fds.length) {
      resize(2 * fds.length);
    }
    int place = placeOf(held.nameHash());
    if (fds[place] != FREE) {
      return false;
    }
    set(place, held);
    size++;
    return true;
  }

  /** Returns the descriptor of a name. */
  synchronized Optional<Held> find(long nameHash) {
    int place = placeOf(nameHash);
    return fds[place] == FREE ? Optional.empty() : Optional.of(at(place));
  }

  /** Gives the descriptor of a name to the caller, if it is here. */
  synchronized void remove(long nameHash) {
    if (find(nameHash).isPresent()) {
      free(placeOf(nameHash));
    }
  }

  /** Returns some descriptors, each time others. */
  synchronized List<Held> some(int most) {
    List<Held> some = new ArrayList<>();
    for (int i = 0; i < fds.length && some.size() < most; i++) {
      hand = (hand + 1) & (fds.length - 1);
      if (fds[hand] != FREE) {
        some.add(at(hand));
      }
    }
    return some;
  }

  synchronized int size() {
    return size;
  }

  /** Passes each descriptor to the action, which may remove it. */
  void forEach(Consumer<Held> action) {
    int places;
    synchronized (this) {
      places = fds.length;
    }
    for (int from = 0; from < places; from += AT_ONCE) {
      heldIn(from).forEach(action);
    }
  }

  private synchronized List<Held> heldIn(int from) {
    List<Held> held = new ArrayList<>();
    for (int place = from; place < Math.min(from + AT_ONCE, fds.length); place++) {
      if (fds[place] != FREE) {
        held.add(at(place));
      }
    }
    return held;
  }

  @GuardedBy("this")
  private Held at(int place) {
    return new Held(names[place], fds[place], attributes[place]);
  }

  @GuardedBy("this")
  private void set(int place, Held held) {
    names[place] = held.nameHash();
    fds[place] = held.fd();
    attributes[place] = held.attributes();
  }

  /** Returns the place that has the name, or would get it. */
  @GuardedBy("this")
  private int placeOf(long nameHash) {
    int place = home(nameHash);
    while (fds[place] != FREE && names[place] != nameHash) {
      place = (place + 1) & (fds.length - 1);
    }
    return place;
  }

  @GuardedBy("this")
  private int home(long nameHash) {
    return (int) (nameHash >>> 32) & (fds.length - 1);
  }

  /** Frees a place, and moves back what had to go further since it was in use. */
  @GuardedBy("this")
  private void free(int place) {
    size--;
    int free = place;
    fds[free] = FREE;
    for (int next = (free + 1) & (fds.length - 1);
        fds[next] != FREE;
        next = (next + 1) & (fds.length - 1)) {
      int distance = (next - home(names[next])) & (fds.length - 1);
      if (distance >= ((next - free) & (fds.length - 1))) {
        set(free, at(next));
        fds[next] = FREE;
        free = next;
      }
    }
    if (fds.length > MIN_PLACES && size < fds.length / 4) {
      resize(fds.length / 2);
    }
  }

  @GuardedBy("this")
  private void resize(int places) {
    long[] namesBefore = names;
    int[] fdsBefore = fds;
    int[] attributesBefore = attributes;
    names = new long[places];
    fds = new int[places];
    attributes = new int[places];
    Arrays.fill(fds, FREE);
    for (int i = 0; i < fdsBefore.length; i++) {
      if (fdsBefore[i] != FREE) {
        set(placeOf(namesBefore[i]), new Held(namesBefore[i], fdsBefore[i], attributesBefore[i]));
      }
    }
    hand = 0;
  }

  /** Closes all; nothing is taken over any more. */
  void close() throws IOException {
    int[] open;
    synchronized (this) {
      closed = true;
      open = Arrays.stream(fds).filter(fd -> fd != FREE).toArray();
      Arrays.fill(fds, FREE);
      size = 0;
    }
    Optional<IOException> failure = Optional.empty();
    for (int fd : open) {
      try {
        calls.close(fd);
      } catch (IOException e) {
        failure = failure.or(() -> Optional.of(e));
      }
    }
    if (failure.isPresent()) {
      throw failure.get();
    }
  }
}
