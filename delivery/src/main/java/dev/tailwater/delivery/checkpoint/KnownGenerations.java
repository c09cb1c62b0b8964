package dev.tailwater.delivery.checkpoint;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.io.FileIdentity;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.OptionalLong;

/**
 * The generations of the inodes of known files, by inode and birth time, so that a start can ask
 * for the row of a file that it has not opened: only a descriptor tells a generation. 12 bytes for
 * each file, off the heap. What it says is a guess, since two files may have one tag; whoever asks
 * must compare more of the file than its identity. Thread-safe.
 */
final class KnownGenerations {
  /** The files beyond that are opened. */
  private static final long MOST_FILES = 4_000_000;

  private static final long MIN_PLACES = 16;

  /** The odd numbers of SplittableRandom's finalizer (Stafford's mix 13). */
  private static final long MIX_1 = 0xBF58_476D_1CE4_E5B9L;

  private static final long MIX_2 = 0x94D0_49BB_1331_11EBL;

  /** Each place: a tag, which is never 0, in the upper half, and a generation in the lower one. */
  @GuardedBy("this")
  private MemorySegment table;

  @GuardedBy("this")
  private long places;

  @GuardedBy("this")
  private long size;

  /** Creates one for at most so many files. */
  KnownGenerations(long files) {
    this.places = Math.max(MIN_PLACES, (3 * Math.min(files, MOST_FILES) + 1) / 2);
    this.table = Arena.ofAuto().allocate(places * Long.BYTES, Long.BYTES);
  }

  /** Adds a file; those without a generation or birth time cannot be found this way. */
  synchronized void add(FileIdentity identity) {
    OptionalLong generation = identity.generation();
    OptionalLong birthTimeNanos = identity.birthTimeNanos();
    if (generation.isEmpty()
        || generation.getAsLong() >>> Integer.SIZE != 0
        || birthTimeNanos.isEmpty()
        || 3 * (size + 1) > 2 * places) {
      return;
    }
    long hash = hash(identity.inode(), birthTimeNanos.getAsLong());
    long place = placeOf(hash);
    if (at(place) == 0) { // Otherwise another destination knows it, too.
      table.setAtIndex(JAVA_LONG, place, tag(hash) << Integer.SIZE | generation.getAsLong());
      size++;
    }
  }

  /** Returns the generation that an inode most likely has; empty if the file is not known. */
  synchronized OptionalLong find(long inode, long birthTimeNanos) {
    if (size == 0) {
      return OptionalLong.empty();
    }
    long found = at(placeOf(hash(inode, birthTimeNanos)));
    return found == 0 ? OptionalLong.empty() : OptionalLong.of(found & 0xFFFF_FFFFL);
  }

  /** Forgets all files, and gives their memory back. */
  synchronized void forget() {
    size = 0;
    places = MIN_PLACES;
    table = Arena.ofAuto().allocate(MIN_PLACES * Long.BYTES, Long.BYTES);
  }

  /** Returns the place with the tag of the hash, or the free one where it belongs. */
  @GuardedBy("this")
  private long placeOf(long hash) {
    long place = Math.unsignedMultiplyHigh(hash, places);
    while (at(place) != 0 && at(place) >>> Integer.SIZE != tag(hash)) {
      place = place + 1 == places ? 0 : place + 1;
    }
    return place;
  }

  @GuardedBy("this")
  private long at(long place) {
    return table.getAtIndex(JAVA_LONG, place);
  }

  /** The lower half of the hash: the upper one decides about the place. */
  private static long tag(long hash) {
    return (hash | 1) & 0xFFFF_FFFFL;
  }

  private static long hash(long inode, long birthTimeNanos) {
    long mixed = (inode ^ (inode >>> 30)) * MIX_1 + birthTimeNanos;
    mixed = (mixed ^ (mixed >>> 27)) * MIX_2;
    return mixed ^ (mixed >>> 31);
  }
}
