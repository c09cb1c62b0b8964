package dev.tailwater.cli.probe;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.ObjectKeys;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * The folder that a probe works in: opens places below it, and removes every object that was
 * written there and, of a directory, the directories that were made for that, also while the
 * process is being stopped. Thread-safe.
 */
public final class Scratch implements AutoCloseable {
  private final ProbeTarget target;
  private final Destination root;
  private final String folder;
  private final MadeDirectories made;

  private final ScratchWrites writes = new ScratchWrites();

  @GuardedBy("this")
  private final ObjectRemoval cleaning;

  @GuardedBy("this")
  private Optional<Leftovers> remains = Optional.empty();

  private Scratch(ProbeTarget target, Destination root, String folder, MadeDirectories made) {
    this.made = made;
    this.target = target;
    this.root = root;
    this.folder = folder;
    this.cleaning = new ObjectRemoval(root);
  }

  /**
   * One below the destination.
   *
   * @param folder a legal key; nobody else may use it
   * @throws DestinationException the destination cannot be opened
   */
  public static Scratch open(ProbeTarget target, String folder) throws DestinationException {
    MadeDirectories made = MadeDirectories.before(target.uri(), folder);
    try {
      return new Scratch(target, target.open(), folder, made);
    } catch (DestinationException | RuntimeException e) {
      var _ = made.remove(); // Some may have been made before one could not be.
      throw e;
    }
  }

  /** Returns the folder, relative to the destination. */
  public String folder() {
    return folder;
  }

  ProbeTarget target() {
    return target;
  }

  /** Returns how long a key can be in a place of that name; everything before it counts. */
  int longestKeyBytes(String place) {
    String path = Optional.ofNullable(target.uri().getPath()).orElse("");
    int before = (path + "/" + folder + "/" + place + "/").getBytes(StandardCharsets.UTF_8).length;
    return ObjectKeys.MAX_KEY_BYTES - before;
  }

  /** Opens a place below the folder; it is empty the first time. */
  Destination open(String place) throws DestinationException {
    String path = folder + "/" + place;
    // Opening may write too, such as the directories of a file system.
    writes.begin();
    try {
      return new WatchedDestination(target.open(path), writes, path);
    } finally {
      writes.end();
    }
  }

  /** Throws {@link StoppedException} after {@link #stop}. */
  void requireGoing() {
    writes.requireGoing();
  }

  /** How many puts succeeded. */
  public long puts() {
    return writes.puts();
  }

  /** How many bytes they had. */
  public long putBytes() {
    return writes.bytes();
  }

  /** Lets nothing more be written, and waits for a limited time for what is being written. */
  public void stop() {
    writes.stop();
  }

  /** Removes what was written in a place; what cannot be removed now is left to the end. */
  synchronized void clean(String place) {
    if (remains.isEmpty()) {
      String prefix = folder + "/" + place + "/";
      cleaning.remove(writes.keys(), key -> key.startsWith(prefix));
    }
  }

  /**
   * Removes everything that was written, and what the destination itself put there. Later calls
   * return the result of the first.
   */
  public synchronized Leftovers cleanUp() {
    if (remains.isEmpty()) {
      remains = Optional.of(cleanedUp());
    }
    return remains.get();
  }

  @GuardedBy("this")
  private Leftovers cleanedUp() {
    boolean wrote = !writes.keys().isEmpty() || writes.puts() > 0;
    cleaning.remove(writes.keys(), _ -> true);
    List<String> left;
    Optional<String> why = cleaning.failure();
    try {
      left = cleaning.removeListed(folder);
      if (left.isEmpty() && !writes.isUnfinished()) {
        return withoutFolders();
      }
      why = why.or(cleaning::failure);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      left = List.copyOf(writes.keys());
      why = why.or(() -> Optional.of("cleaning up was interrupted"));
    } catch (Exception e) {
      if (!wrote) {
        // Every put was refused, so nothing can be left.
        return withoutFolders();
      }
      left = List.copyOf(writes.keys());
      why = why.or(() -> Optional.of("it cannot be listed what is left: " + e.getMessage()));
    }
    return new Leftovers(left, why.or(() -> Optional.of(unexplained())));
  }

  /** Removes empty folders, and directories that were not there before: nothing else is left. */
  private Leftovers withoutFolders() {
    try {
      root.removeEmptyFolders(folder);
      return new Leftovers(List.of(), made.remove());
    } catch (DestinationException e) {
      return new Leftovers(List.of(), Optional.of(e.getMessage()));
    }
  }

  private String unexplained() {
    return writes.isUnfinished()
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
