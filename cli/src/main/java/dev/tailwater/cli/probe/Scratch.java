package dev.tailwater.cli.probe;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.ObjectKeys;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * The folder that a probe works in: opens places below it, knows every object that was written
 * there, and removes them all, also while the process is being stopped. Thread-safe.
 */
public final class Scratch implements AutoCloseable {
  private static final long PUTS_UNDER_WAY_SECONDS = 20;

  private final ProbeTarget target;
  private final Destination root;
  private final String folder;

  /** By their keys at the destination. */
  private final ConcurrentSkipListSet<String> written =
      new ConcurrentSkipListSet<>(ObjectKeys.ORDER);

  /** Read: a put is under way. Write: none is, and none begins. */
  private final ReentrantReadWriteLock puts = new ReentrantReadWriteLock();

  private final AtomicLong objects = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private final Cleaning cleaning;
  private Optional<Remains> remains = Optional.empty();
  private volatile boolean stopped;
  private volatile boolean unfinished;

  private Scratch(ProbeTarget target, Destination root, String folder) {
    this.target = target;
    this.root = root;
    this.folder = folder;
    this.cleaning = new Cleaning(root);
  }

  /**
   * One below the destination.
   *
   * @param folder a legal key; nobody else may use it
   * @throws DestinationException the destination cannot be opened
   */
  public static Scratch open(ProbeTarget target, String folder) throws DestinationException {
    return new Scratch(target, target.open(), folder);
  }

  /** Where it lies, relative to the destination. */
  public String folder() {
    return folder;
  }

  ProbeTarget target() {
    return target;
  }

  /** How long a key can be in a place of that name, where all that is before it counts. */
  int longestKeyBytes(String place) {
    String path = Optional.ofNullable(target.uri().getPath()).orElse("");
    int before = (path + "/" + folder + "/" + place + "/").getBytes(StandardCharsets.UTF_8).length;
    return ObjectKeys.MAX_KEY_BYTES - before;
  }

  /** Opens a place below it; empty the first time. */
  Destination open(String place) throws DestinationException {
    String path = folder + "/" + place;
    // Opening may write too: the folders of a file system.
    begin();
    try {
      return new WatchedDestination(target.open(path), this, path);
    } finally {
      puts.readLock().unlock();
    }
  }

  private void begin() {
    puts.readLock().lock();
    if (stopped) {
      puts.readLock().unlock();
      throw new StoppedException();
    }
  }

  /** Whether the key is new here. Every call is followed by one of {@link #endPut}. */
  boolean beginPut(String place, String key) {
    begin();
    String whole = place + "/" + key;
    // An illegal one is refused, and could not be removed either.
    return ObjectKeys.problem(key).isEmpty()
        && ObjectKeys.problem(whole).isEmpty()
        && written.add(whole);
  }

  /** There is no such object (any more). */
  void forget(String place, String key) {
    written.remove(place + "/" + key);
  }

  void written(long lengthBytes) {
    objects.incrementAndGet();
    bytes.addAndGet(lengthBytes);
  }

  void endPut() {
    puts.readLock().unlock();
  }

  void requireGoing() {
    if (stopped) {
      throw new StoppedException();
    }
  }

  /** How many puts succeeded. */
  public long puts() {
    return objects.get();
  }

  /** How many bytes they had. */
  public long putBytes() {
    return bytes.get();
  }

  /** Lets nothing more be written, and waits for what is being written, though not for ever. */
  public void stop() {
    stopped = true;
    try {
      if (puts.writeLock().tryLock(PUTS_UNDER_WAY_SECONDS, TimeUnit.SECONDS)) {
        puts.writeLock().unlock();
      } else {
        unfinished = true;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Removes what was written in a place; what cannot be removed now is left to the end. */
  synchronized void clean(String place) {
    if (remains.isEmpty()) {
      String prefix = folder + "/" + place + "/";
      cleaning.remove(written, key -> key.startsWith(prefix));
    }
  }

  /**
   * Removes everything that was written, and what the destination itself put there. The first call
   * does so; what it found is what all later ones say.
   */
  public synchronized Remains cleanUp() {
    if (remains.isEmpty()) {
      remains = Optional.of(cleanedUp());
    }
    return remains.get();
  }

  private Remains cleanedUp() {
    boolean wrote = !written.isEmpty() || objects.get() > 0;
    cleaning.remove(written, _ -> true);
    List<String> left;
    Optional<String> why = cleaning.failure();
    try {
      left = cleaning.removeListed(folder);
      if (left.isEmpty() && !unfinished) {
        return withoutFolders();
      }
      why = why.or(cleaning::failure);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      left = List.copyOf(written);
      why = why.or(() -> Optional.of("cleaning up was interrupted"));
    } catch (Exception e) {
      if (!wrote) {
        // Every put was refused: there is nothing to be named that may be left.
        return withoutFolders();
      }
      left = List.copyOf(written);
      why = why.or(() -> Optional.of("it cannot be listed what is left: " + e.getMessage()));
    }
    return new Remains(left, why.or(() -> Optional.of(unexplained())));
  }

  /** Nothing is left but folders perhaps. */
  private Remains withoutFolders() {
    try {
      root.removeEmptyFolders(folder);
      return Remains.NONE;
    } catch (DestinationException e) {
      return new Remains(List.of(), Optional.of(e.getMessage()));
    }
  }

  private String unexplained() {
    return unfinished
        ? "a put was still under way"
        : "the destination says that they are removed, and still lists them";
  }

  /** Cleans up if that was not done, and closes the destination. */
  @Override
  public void close() throws DestinationException {
    cleanUp();
    root.close();
  }
}
