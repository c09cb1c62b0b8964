package dev.tailwater.store.log.map;

import dev.tailwater.store.Entry;
import dev.tailwater.store.Limits;
import dev.tailwater.store.StoreSnapshot;
import dev.tailwater.store.common.OpenSnapshots;
import dev.tailwater.store.log.format.Operation;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

/** A snapshot of a transaction-log store: the immutable map of one moment. */
public final class LogSnapshot implements StoreSnapshot {
  private static final int GOLDEN_RATIO = 0x9E37_79B9;
  private static final int SLOT_SHIFT = 24;
  private static final byte[] NO_PREFIX = {};

  private volatile PersistentMap map;
  private final long takenAtMillis;
  private final BooleanSupplier storeIsClosed;
  private final OpenSnapshots<LogSnapshot> open;
  private volatile boolean closed;

  public LogSnapshot(
      PersistentMap map,
      long takenAtMillis,
      BooleanSupplier storeIsClosed,
      OpenSnapshots<LogSnapshot> open) {
    this.map = map;
    this.takenAtMillis = takenAtMillis;
    this.storeIsClosed = storeIsClosed;
    this.open = open;
  }

  /** Returns the hash slot of a key, which depends on nothing but the key, in every release. */
  public static int slotOf(byte[] key) {
    return (Arrays.hashCode(key) * GOLDEN_RATIO) >>> SLOT_SHIFT;
  }

  @Override
  public Optional<byte[]> get(byte[] key) {
    return put(key).map(put -> put.value().clone());
  }

  @Override
  public Optional<Entry> find(byte[] key) {
    return put(key).map(Operation::toEntry);
  }

  private Optional<Operation> put(byte[] key) {
    return map().find(key).filter(put -> !put.isExpired(takenAtMillis));
  }

  @Override
  public void forEach(byte[] keyPrefix, Consumer<Entry> action) {
    forEachPut(keyPrefix.clone(), action);
  }

  private void forEachPut(byte[] prefix, Consumer<Entry> action) {
    map().forEach(prefix, put -> give(put, action));
  }

  /** Goes on when the snapshot is closed meanwhile: calls in progress are completed. */
  private void give(Operation put, Consumer<Entry> action) {
    checkStoreOpen();
    if (!put.isExpired(takenAtMillis)) {
      action.accept(put.toEntry());
    }
  }

  @Override
  public void forEachInSlots(IntPredicate slots, Consumer<Entry> action) {
    map()
        .forEach(
            NO_PREFIX,
            put -> {
              if (slots.test(slotOf(put.key()))) {
                give(put, action);
              }
            });
  }

  @Override
  public void forEachWithTag(String tag, Consumer<Entry> action) {
    Limits.checkTag(tag);
    map().forEachWithTag(tag, put -> give(put, action));
  }

  @Override
  public long size() {
    return map().size();
  }

  @Override
  public long takenAtMillis() {
    return takenAtMillis;
  }

  private PersistentMap map() {
    PersistentMap now = map; // before it is looked whether it still is the one
    checkOpen();
    return now;
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the snapshot is closed");
    }
    checkStoreOpen();
  }

  private void checkStoreOpen() {
    if (storeIsClosed.getAsBoolean()) {
      throw new IllegalStateException("the store of the snapshot is closed");
    }
  }

  @Override
  public void close() {
    closed = true;
    map = PersistentMap.EMPTY;
    open.remove(this);
  }
}
