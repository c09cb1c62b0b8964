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

/** Makes records seen: puts them into the index, and keeps account of what lives in which file. */
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
   * Tells somebody again and again that records have died.
   *
   * @param garbageUnits how much of them
   */
  public Publisher(
      Index index, DataFiles files, TagIndex tagIndex, long garbageUnits, Runnable onGarbage) {
    this.garbageUnits = garbageUnits;
    this.onGarbage = onGarbage;
    this.index = index;
    this.files = files;
    this.tagIndex = tagIndex;
  }

  /** Makes a record seen, unless a newer one of its key already is. */
  void publish(PendingWrite write) {
    PendingKey key = write.key();
    if (write.sequence() > key.visibleSequence) {
      long to = write.removes() ? Location.NONE : write.location();
      // Nobody looks between these two: views are taken under the append lock.
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

  /** Makes puts of bulks seen, up to this number. */
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
   * Another number whenever the index was changed meanwhile: who asks for it, then searches the
   * index, and has the same number with the append lock held, has found what is there now.
   */
  long changes() {
    return changes.getAcquire();
  }

  /** Behind each change; with the append lock held. */
  private void changed() {
    changes.setRelease(changes.getPlain() + 1);
  }

  /** The record with this number can be found under these. */
  void addTags(List<String> recordTags, long hash, long sequence) {
    for (String indexTag : recordTags) {
      tagIndex.add(indexTag, hash, sequence);
    }
  }

  /**
   * Puts a location in the place of one, or of nothing, if that is what the index has of this hash.
   *
   * @return false, and nothing changed, when it has something else
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

  /** Puts another location in the place of one; {@link Location#NONE} stands for nothing. */
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

  /** As {@link #move}, but false when the index does not have the location any more. */
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
