package dev.tailwater.bench.stores;

import dev.tailwater.lab.measure.ClosedLoop;
import dev.tailwater.lab.store.StoreRecords;
import java.io.IOException;
import java.util.Optional;

/** A store that is open. Thread-safe, but for its sessions. */
interface Engine extends AutoCloseable {
  /** One thread's access to the store. Ends with the store. */
  interface Session {
    /** The value of this key, copied to the Java heap. */
    Optional<byte[]> get(byte[] key) throws Exception;

    /** Returns when the value is on disk. */
    void putDurably(byte[] key, byte[] value) throws Exception;

    /** Returns when other threads can read the value; it may be lost with the machine's power. */
    void put(byte[] key, byte[] value) throws Exception;
  }

  /**
   * Access for the thread of this number, counted from 0; the same at each call.
   *
   * @param thread below {@link ClosedLoop#MAX_THREADS}
   */
  Session session(int thread) throws Exception;

  /**
   * Puts the records 0 to count, by one thread and as the engine does it best, and has them on
   * disk.
   */
  void load(StoreRecords records, long count) throws Exception;

  /** Waits until nothing is left of the work in the background that earlier writes have caused. */
  void settle() throws Exception;

  @Override
  void close() throws IOException;
}
