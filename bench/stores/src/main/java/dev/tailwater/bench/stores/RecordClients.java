package dev.tailwater.bench.stores;

import dev.tailwater.bench.stores.Engine.Session;
import dev.tailwater.lab.measure.ClosedLoop.Client;
import dev.tailwater.lab.store.StoreRecords;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the threads do to a store that holds a data set. Keys are drawn uniformly from all of it,
 * others in each run; every value that is read is checked.
 */
final class RecordClients {
  private final Dataset dataset;
  private final StoreRecords records;

  /** Numbers behind the data set, for puts of new keys. */
  private final AtomicLong nextNew;

  /** No two runs draw the same keys. */
  private final AtomicLong nextSeed = new AtomicLong(System.nanoTime());

  private final AtomicLong nextGeneration = new AtomicLong(1);

  /**
   * @param firstNew a number that no earlier process has put
   */
  RecordClients(Dataset dataset, long firstNew) {
    this.dataset = dataset;
    this.records = dataset.records();
    this.nextNew = new AtomicLong(firstNew);
  }

  /** Where a series of random numbers begins. */
  private final class Draw {
    private long state = StoreRecords.mix(nextSeed.getAndIncrement());

    long number() {
      return Math.unsignedMultiplyHigh(StoreRecords.mix(state++), dataset.count());
    }

    boolean coin() {
      return StoreRecords.mix(state++) < 0;
    }
  }

  /** Gets a key of the data set. */
  Client gets(Session session) {
    Draw draw = new Draw();
    return () -> check(session, draw.number());
  }

  /** Gets this key of the data set. */
  void check(Session session, long number) throws Exception {
    byte[] value =
        session
            .get(records.key(number))
            .orElseThrow(() -> new IllegalStateException("record " + number + " is missing"));
    if (!records.isRight(number, value)) {
      throw new IllegalStateException("record " + number + " has another's value");
    }
  }

  /** Gets a key of the data set, or gives one another value; half and half. */
  Client mixes(Session session) {
    Draw draw = new Draw();
    return () -> {
      long number = draw.number();
      if (draw.coin()) {
        check(session, number);
      } else {
        session.put(records.key(number), records.value(number, nextGeneration.getAndIncrement()));
      }
    };
  }

  /** Puts new keys; each is on disk before the next. */
  Client durablePuts(Session session) {
    return () -> {
      long number = nextNew.getAndIncrement();
      session.putDurably(records.key(number), records.value(number, 0));
    };
  }
}
