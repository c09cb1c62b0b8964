package dev.tailwater.store.datafile.write;

import dev.tailwater.store.datafile.file.DataFile;
import dev.tailwater.store.datafile.file.DataFiles;
import dev.tailwater.store.datafile.file.IndexTags;
import dev.tailwater.store.datafile.format.RecordData;
import dev.tailwater.store.datafile.index.HashBatch;
import dev.tailwater.store.datafile.index.Index;
import dev.tailwater.store.datafile.index.Location;
import dev.tailwater.store.datafile.index.TagIndex;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Makes records visible: puts them into the index, and counts the live records of each file. */
public final class Publisher {
  private final Index index;
  private final DataFiles files;
  private final TagIndex tagIndex;
  private final long garbageUnits;
  private final Runnable onGarbage;
  private final HashBatch added = new HashBatch(256);
  private final AtomicLong changes = new AtomicLong();
  private long diedUnits;

  public Publisher(Index index, DataFiles files, TagIndex tagIndex) {
    this(index, files, tagIndex, Long.MAX_VALUE, () -> {});
  }

  /**
   * Calls a listener repeatedly as records die.
   *
   * @param garbageUnits units of dead records between calls
   */
  public Publisher(
      Index index, DataFiles files, TagIndex tagIndex, long garbageUnits, Runnable onGarbage) {
    this.garbageUnits = garbageUnits;
    this.onGarbage = onGarbage;
    this.index = index;
    this.files = files;
    this.tagIndex = tagIndex;
  }

  /** Makes a record visible, unless a newer one of its key already is. */
  void publish(PendingWrite write) {
    PendingKey key = write.key();
    if (write.sequence() > key.visibleSequence) {
      long to = write.removes() ? Location.NONE : write.location();
      // No view is taken between these two: that needs the append lock.
      move(key.hash, key.visible, to);
      addTags(write.indexTags(), key.hash, write.sequence());
      for (String indexTag : key.visibleTags) {
        tagIndex.remove(indexTag, key.hash, key.visibleRecord);
      }
      key.visible = to;
      key.visibleSequence = write.sequence();
      key.visibleRecord = write.sequence();
      key.visibleTags = write.indexTags();
    }
  }

  /** Makes puts of bulk writes visible, up to this number. */
  void publish(PendingKeys pending, long lastSequence) {
    PendingPuts puts = pending.puts();
    PendingPuts.Publishing publishing =
        new PendingPuts.Publishing() {
          @Override
          public void put(
              long hash, long from, long to, @Nullable RecordData tagged, long sequence) {
            if (from == Location.NONE) {
              added.add(hash, to);
            } else {
              move(hash, from, to);
            }
            if (tagged != null) {
              addTags(IndexTags.of(tagged), hash, sequence);
            }
          }

          @Override
          public void put(PendingKey key, long to, RecordData data, long sequence) {
            publish(new PendingWrite(key, sequence, to, false, IndexTags.of(data)));
            pending.release(key);
          }
        };
    added.clear();
    while (!puts.isEmpty() && puts.firstSequence() <= lastSequence) {
      puts.publishFirst(publishing);
    }
    addNew();
  }

  private void addNew() {
    if (added.size() > 0) {
      index.addEach(added);
      changed();
      for (int i = 0; i < added.size(); i++) {
        files.owning(added.location(i)).lives(added.location(i));
      }
    }
  }

  /**
   * Returns a number that changes with every change of the index. A caller that searched the index
   * after reading it, and finds the same number with the append lock held, knows that the result is
   * current.
   */
  long changes() {
    return changes.getAcquire();
  }

  /** Called after each change, with the append lock held. */
  private void changed() {
    changes.setRelease(changes.getPlain() + 1);
  }

  /** Adds a record to the tag index. */
  void addTags(List<String> recordTags, long hash, long sequence) {
    for (String indexTag : recordTags) {
      tagIndex.add(indexTag, hash, sequence);
    }
  }

  /**
   * Replaces a location, or adds one for {@link Location#NONE}, if that is what the index has for
   * this hash.
   *
   * @return false when it has something else, and nothing was changed
   */
  public boolean moveIf(long hash, long from, long to) {
    if (from == Location.NONE) {
      if (!index.addIfAbsent(hash, to)) {
        return false;
      }
    } else {
      if (!index.replace(hash, from, to)) {
        return false;
      }
      died(from);
    }
    changed();
    files.owning(to).lives(to);
    return true;
  }

  /** Replaces a location; {@link Location#NONE} stands for nothing. */
  public void move(long hash, long from, long to) {
    boolean moved;
    if (from == Location.NONE) {
      moved = true;
      if (to != Location.NONE) {
        index.add(hash, to);
      }
    } else {
      moved = to == Location.NONE ? index.remove(hash, from) : index.replace(hash, from, to);
      died(from);
    }
    changed();
    if (!moved) {
      throw new IllegalStateException("the index has lost a record");
    }
    if (to != Location.NONE) {
      files.owning(to).lives(to);
    }
  }

  private void died(long location) {
    files.owning(location).died(location);
    diedUnits += DataFile.unitsOf(location);
    if (diedUnits >= garbageUnits) {
      diedUnits = 0;
      onGarbage.run();
    }
  }

  /** As {@link #move}, but returns false when the index does not have the location any more. */
  boolean moveIfThere(long hash, long from, long to) {
    boolean there = to == Location.NONE ? index.remove(hash, from) : index.replace(hash, from, to);
    if (there) {
      changed();
      died(from);
      if (to != Location.NONE) {
        files.owning(to).lives(to);
      }
    }
    return there;
  }
}
