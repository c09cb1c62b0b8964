package dev.tailwater.delivery.watch;

import dev.tailwater.delivery.checkpoint.NameTable;
import dev.tailwater.delivery.keeper.QuietTails;
import dev.tailwater.delivery.quiet.FileEvictor;
import dev.tailwater.delivery.quiet.QuietDescriptors;
import dev.tailwater.delivery.room.OpenFiles;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.io.Descriptor;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;

/**
 * The way out of memory, for files that have nothing at risk. What is known of them is in the table
 * of files then, and in memory are only their open descriptors, by a hash of their names. Used by
 * the watch thread only.
 */
final class FileDeparture implements FileEvictor.Exit {
  private final ObserverSettings settings;
  private final FileRegistry registry;
  private final List<QuietTails> lanes;
  private final OpenFiles openFiles;
  private final QuietNames quietNames;
  private final Predicate<WatchedFile> isBusy;

  /**
   * Creates the way out of one agent's memory.
   *
   * @param isBusy returns whether the watch has to look at the file again by itself
   */
  FileDeparture(
      ObserverContext context,
      OpenFiles openFiles,
      QuietNames quietNames,
      Predicate<WatchedFile> isBusy) {
    this.settings = context.settings();
    this.registry = context.registry();
    this.lanes = context.quietTails();
    this.openFiles = openFiles;
    this.quietNames = quietNames;
    this.isBusy = isBusy;
  }

  @Override
  public boolean mayLeave(WatchedFile file, boolean atOnce) {
    for (QuietTails lane : lanes) {
      if (lane.hasAtRisk(file)) {
        return false; // So it is with most where memory is scarce, and this is asked of each often.
      }
    }
    if (isBusy.test(file)) {
      return false;
    }
    lanes.forEach(lane -> lane.compareToLeave(file, atOnce));
    return mayLeave(file);
  }

  /** Returns whether a file has nothing at risk, and nobody needs it. */
  private boolean mayLeave(WatchedFile file) {
    return file.hasOneName()
        && isTrueOfAll(lane -> lane.mayLeave(file))
        && settings.names().here(file.archivedName()).equals(file.name())
        && attributes(file).isPresent();
  }

  private boolean isTrueOfAll(Predicate<QuietTails> condition) {
    for (QuietTails lane : lanes) {
      if (!condition.test(lane)) {
        return false;
      }
    }
    return true;
  }

  /** Returns a hash of the file's attributes; empty where its tails have seen different ones. */
  private OptionalInt attributes(WatchedFile file) {
    OptionalInt all = OptionalInt.empty();
    for (QuietTails lane : lanes) {
      OptionalInt one = lane.attributes(file);
      if (one.isEmpty() || (all.isPresent() && all.getAsInt() != one.getAsInt())) {
        return OptionalInt.empty();
      }
      all = one;
    }
    return all;
  }

  @Override
  public List<WatchedFile> leave(List<WatchedFile> files, boolean atOnce) {
    List<WatchedFile> staying = new ArrayList<>();
    Deque<WatchedFile> claimed = new ArrayDeque<>();
    for (WatchedFile file : files) {
      (claim(file) ? claimed : staying).add(file);
    }
    try {
      lanes.forEach(lane -> lane.saveClaimed(claimed, atOnce));
      Map<Long, NameTable.Named> closing = closedOf(claimed);
      while (!claimed.isEmpty()) {
        WatchedFile file = claimed.getFirst();
        boolean left =
            mayLeave(file) && isTrueOfAll(lane -> lane.isSaved(file)) && giveUp(file, closing);
        claimed.removeFirst();
        release(file, left);
        if (!left) {
          staying.add(file);
        }
      }
    } finally {
      claimed.forEach(file -> release(file, false)); // Something has failed.
    }
    return staying;
  }

  private void release(WatchedFile file, boolean left) {
    lanes.forEach(lane -> lane.releaseClaimed(file, left));
    if (left) {
      registry.leave(file);
    }
  }

  private boolean claim(WatchedFile file) {
    List<QuietTails> claimed = new ArrayList<>();
    for (QuietTails lane : lanes) {
      if (!lane.tryClaim(file)) {
        claimed.forEach(other -> other.release(file));
        return false;
      }
      claimed.add(lane);
    }
    return true;
  }

  /** Writes the names of those that leave without a descriptor; returns none if that fails. */
  private Map<Long, NameTable.Named> closedOf(Collection<WatchedFile> files) {
    Map<Long, NameTable.Named> named = new LinkedHashMap<>();
    for (WatchedFile file : files) {
      if (!file.isOpen() || openFiles.isShort(file.name())) {
        named.put(
            quietNames.hash(file.name()), new NameTable.Named(file.identity(), arrivalNanos(file)));
      }
    }
    return quietNames.write(named) ? named : Map.of();
  }

  private static long arrivalNanos(WatchedFile file) {
    return file.archivedPlace().arrivalNanos().orElseThrow();
  }

  private boolean giveUp(WatchedFile file, Map<Long, NameTable.Named> closing) {
    long nameHash = quietNames.hash(file.name());
    NameTable.Named named = closing.get(nameHash);
    boolean isNameWritten = named != null && named.identity().equals(file.identity());
    if (!file.isOpen()) {
      if (isNameWritten) {
        quietNames.leftClosed();
      }
      return isNameWritten;
    }
    QuietDescriptors quiet = openFiles.quietAt(file.name());
    OptionalInt attributes = attributes(file);
    if (attributes.isEmpty() || quiet.find(nameHash).isPresent() || !openFiles.mayLeave(file)) {
      return false; // Two names have one hash, or there is no place for its descriptor.
    }
    Optional<Descriptor> descriptor = file.takeDescriptor();
    if (descriptor.isEmpty()) {
      return false; // Somebody uses it.
    }
    openFiles.left(file, file.name());
    int fd = descriptor.get().release();
    if (isNameWritten) {
      quietNames.leftClosed();
      quietNames.close(quiet, fd); // Others wait for it.
      return true;
    }
    long arrivalNanos = arrivalNanos(file);
    if (!quiet.add(new QuietDescriptors.Held(nameHash, fd, attributes.getAsInt(), arrivalNanos))) {
      quietNames.close(quiet, fd); // The agent ends.
    }
    return true;
  }
}
