package dev.tailwater.delivery.quiet;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.posix.FileCalls;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The open descriptors of files that left memory, by a hash of their names: 24 bytes a place, of
 * which seven in sixteen are in use at least while there are more and more. Thread-safe; nothing
 * here blocks but {@link #close}.
 */
public final class QuietDescriptors {
  private static final int MIN_PLACES = 16;
  private static final int FREE = -1;
  private static final int AT_ONCE = 1_024;
  private static final int PLACE_BYTES = 24;

  /** An odd number near the golden section of all numbers: see {@link #some}. */
  private static final int STRIDE = 0x9E37_79B1;

  private static final int FD_AT = 8;
  private static final int ATTRIBUTES_AT = 12;
  private static final int ARRIVAL_AT = 16;

  private final FileCalls calls;

  /** The places, off the heap: of each what {@link Held} has. */
  @GuardedBy("this")
  private MemorySegment table = emptyTable(MIN_PLACES);

  @GuardedBy("this")
  private int places = MIN_PLACES;

  @GuardedBy("this")
  private int size;

  /** Those that have lost their names since, and wait for room in memory. */
  @GuardedBy("this")
  private final Deque<Held> nameless = new ArrayDeque<>();

  /** Where {@link #some} looks next. */
  @GuardedBy("this")
  private int hand;

  @GuardedBy("this")
  private boolean closed;

  /**
   * A file that is held open.
   *
   * @param attributes a hash of those that it had when it left memory
   * @param arrivalNanos when it came to its path
   */
  public record Held(long nameHash, int fd, int attributes, long arrivalNanos) {}

  public QuietDescriptors(FileCalls calls) {
    this.calls = calls;
  }

  private static MemorySegment emptyTable(int places) {
    return Arena.ofAuto().allocate((long) places * PLACE_BYTES, Long.BYTES).fill((byte) FREE);
  }

  public FileCalls calls() {
    return calls;
  }

  /** Takes over a descriptor; false when the name has one, or nothing is taken over any more. */
  public synchronized boolean add(Held held) {
    if (closed) {
      return false;
    }
    if (4L * (size + 1) > 3L * places) {
      resize(2 * places);
    }
    int place = placeOf(held.nameHash());
    if (fdAt(place) != FREE) {
      return false;
    }
    set(place, held);
    size++;
    return true;
  }

  /** Returns the descriptor of a name. */
  public synchronized Optional<Held> find(long nameHash) {
    int place = placeOf(nameHash);
    return fdAt(place) == FREE ? Optional.empty() : Optional.of(at(place));
  }

  /** Gives the descriptor of a name to the caller, if it is here. */
  public synchronized void remove(long nameHash) {
    int place = placeOf(nameHash);
    if (fdAt(place) != FREE) {
      free(place);
    }
  }

  /** Takes the name away from a descriptor, which waits for room in memory then; false if none. */
  public synchronized boolean loseName(long nameHash) {
    Optional<Held> held = find(nameHash);
    held.ifPresent(
        file -> {
          free(placeOf(nameHash));
          nameless.add(file);
        });
    return held.isPresent();
  }

  /** Returns the descriptor without a name that waits longest. */
  public synchronized Optional<Held> firstNameless() {
    return Optional.ofNullable(nameless.peekFirst());
  }

  /** Gives the descriptor of {@link #firstNameless} to the caller. */
  public synchronized void removeNameless(Held held) {
    nameless.remove(held);
  }

  /**
   * Returns some descriptors with names, each time others. They are from all over the table: where
   * neighbours are removed one after the other, the places before them fill up, and those are
   * searched one by one.
   */
  public synchronized List<Held> some(int most) {
    List<Held> some = new ArrayList<>();
    for (int i = 0; i < places && some.size() < most; i++) {
      hand = (hand + STRIDE) & (places - 1);
      if (fdAt(hand) != FREE) {
        some.add(at(hand));
      }
    }
    return some;
  }

  /** Returns how many descriptors have names. */
  public synchronized int size() {
    return size;
  }

  /** Returns how many descriptors have lost their names. */
  public synchronized int namelessCount() {
    return nameless.size();
  }

  /** Returns how many descriptors there are. */
  public synchronized int count() {
    return size + nameless.size();
  }

  /** Passes each descriptor with a name to the action, which may remove it. */
  public void forEach(Consumer<Held> action) {
    int until;
    synchronized (this) {
      until = places;
    }
    for (int from = 0; from < until; from += AT_ONCE) {
      heldIn(from).forEach(action);
    }
  }

  private synchronized List<Held> heldIn(int from) {
    List<Held> held = new ArrayList<>();
    for (int place = from; place < Math.min(from + AT_ONCE, places); place++) {
      if (fdAt(place) != FREE) {
        held.add(at(place));
      }
    }
    return held;
  }

  @GuardedBy("this")
  private Held at(int place) {
    return at(table, place);
  }

  private static Held at(MemorySegment table, int place) {
    return new Held(
        table.get(JAVA_LONG, offset(place, 0)),
        table.get(JAVA_INT, offset(place, FD_AT)),
        table.get(JAVA_INT, offset(place, ATTRIBUTES_AT)),
        table.get(JAVA_LONG, offset(place, ARRIVAL_AT)));
  }

  private static long offset(int place, int fieldBytes) {
    return (long) place * PLACE_BYTES + fieldBytes;
  }

  @GuardedBy("this")
  private long nameAt(int place) {
    return table.get(JAVA_LONG, offset(place, 0));
  }

  @GuardedBy("this")
  private int fdAt(int place) {
    return table.get(JAVA_INT, offset(place, FD_AT));
  }

  @GuardedBy("this")
  private void set(int place, Held held) {
    table.set(JAVA_LONG, offset(place, 0), held.nameHash());
    table.set(JAVA_INT, offset(place, FD_AT), held.fd());
    table.set(JAVA_INT, offset(place, ATTRIBUTES_AT), held.attributes());
    table.set(JAVA_LONG, offset(place, ARRIVAL_AT), held.arrivalNanos());
  }

  @GuardedBy("this")
  private void clear(int place) {
    table.set(JAVA_INT, offset(place, FD_AT), FREE);
  }

  /** Returns the place that has the name, or would get it. */
  @GuardedBy("this")
  private int placeOf(long nameHash) {
    int place = home(nameHash);
    while (fdAt(place) != FREE && nameAt(place) != nameHash) {
      place = (place + 1) & (places - 1);
    }
    return place;
  }

  @GuardedBy("this")
  private int home(long nameHash) {
    return (int) (nameHash >>> 32) & (places - 1);
  }

  /** Frees a place, and moves back what had to go further since it was in use. */
  @GuardedBy("this")
  private void free(int place) {
    size--;
    int free = place;
    clear(free);
    for (int next = (free + 1) & (places - 1);
        fdAt(next) != FREE;
        next = (next + 1) & (places - 1)) {
      int distance = (next - home(nameAt(next))) & (places - 1);
      if (distance >= ((next - free) & (places - 1))) {
        MemorySegment.copy(table, offset(next, 0), table, offset(free, 0), PLACE_BYTES);
        clear(next);
        free = next;
      }
    }
    if (places > MIN_PLACES && size < places / 4) {
      resize(places / 2);
    }
  }

  @GuardedBy("this")
  private void resize(int to) {
    MemorySegment before = table;
    int placesBefore = places;
    table = emptyTable(to);
    places = to;
    for (int place = 0; place < placesBefore; place++) {
      Held held = at(before, place);
      if (held.fd() != FREE) {
        set(placeOf(held.nameHash()), held);
      }
    }
    hand = 0;
  }

  /** Closes all; nothing is taken over any more. */
  public void close() throws IOException {
    List<Held> open = new ArrayList<>();
    synchronized (this) {
      closed = true;
      open.addAll(some(Integer.MAX_VALUE));
      open.addAll(nameless);
      table = emptyTable(MIN_PLACES);
      places = MIN_PLACES;
      size = 0;
      nameless.clear();
    }
    Optional<IOException> failure = Optional.empty();
    for (Held held : open) {
      try {
        calls.close(held.fd());
      } catch (IOException e) {
        failure = failure.or(() -> Optional.of(e));
      }
    }
    if (failure.isPresent()) {
      throw failure.get();
    }
  }
}
