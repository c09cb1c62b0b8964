package dev.tailwater.store.datafile.read;

import dev.tailwater.io.async.ReadRequest;
import dev.tailwater.io.async.ReadResult;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.store.StoreReadException;
import dev.tailwater.store.datafile.file.DirectFile;
import dev.tailwater.store.datafile.format.RecordBytes;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Reads of the values of many keys: first those that take no system call, then the others from
 * files, many at once, so that the disk is always busy. They are made in groups, so that memory is
 * bounded and the vacuum can free files in between. Thread-safe.
 */
final class BatchReads {
  private static final int GROUP_BYTES = 1024 * 1024;

  private final KeyLookup lookup;
  private final StoreReader reader;
  private final ReaderGate gate;
  private final ReadBufferPool buffers;
  private final InstantSource clock;

  /** Memory that no call uses now. */
  private final AtomicReference<@Nullable RecordBytes> spare = new AtomicReference<>();

  BatchReads(ReadAccess access, InstantSource clock) {
    this.lookup = access.lookup();
    this.reader = access.reader();
    this.gate = access.gate();
    this.buffers = access.buffers();
    this.clock = clock;
  }

  List<Optional<byte[]>> getAll(List<byte[]> keys) throws IOException {
    List<Optional<byte[]>> values =
        new ArrayList<>(Collections.nCopies(keys.size(), Optional.empty()));
    int done = 0;
    do {
      int inside = gate.enter(); // also for no keys: says that the store is closed
      ReadBuffer buffer = buffers.take();
      try {
        done = new Group(keys, values, buffer).get(done);
      } finally {
        buffers.giveBack(buffer);
        gate.exit(inside);
      }
    } while (done < keys.size());
    return Collections.unmodifiableList(values);
  }

  /** A record to be read together with others. */
  private record Unread(int key, long location, ReadSource source, int at) {}

  /** A group of keys. */
  private final class Group {
    private final List<byte[]> keys;
    private final List<Optional<byte[]>> values;
    private final ReadBuffer buffer;
    private final List<Unread> unread = new ArrayList<>();
    private int usedBytes;

    Group(List<byte[]> keys, List<Optional<byte[]>> values, ReadBuffer buffer) {
      this.keys = keys;
      this.values = values;
      this.buffer = buffer;
    }

    /** Reads as many as fit, and returns the next key's index. */
    int get(int from) throws IOException {
      int next = from;
      while (next < keys.size() && getOrPlan(next)) {
        next++;
      }
      if (!unread.isEmpty()) {
        readAll();
      }
      return next;
    }

    /** Reads a value, or plans to; returns false when its record does not fit this group. */
    private boolean getOrPlan(int index) throws IOException {
      byte[] key = keys.get(index);
      switch (lookup.findQuickly(key, buffer)) {
        case YES -> values.set(index, value(buffer.bytes(), 0));
        case NO -> {}
        case UNREAD -> {
          ReadSource source = reader.sourceOf(lookup.fileAt(buffer.location), buffer.location);
          if (source == null || source.lengthBytes() > GROUP_BYTES) {
            getAlone(index);
            return true;
          }
          int alignment = source.direct() ? DirectFile.MAX_BLOCK_BYTES : Long.BYTES;
          int at = (usedBytes + alignment - 1) / alignment * alignment;
          if (at + source.lengthBytes() > GROUP_BYTES) {
            return false;
          }
          usedBytes = at + source.lengthBytes();
          unread.add(new Unread(index, buffer.location, source, at));
        }
      }
      return true;
    }

    private void getAlone(int index) throws IOException {
      if (lookup.find(keys.get(index), buffer)) {
        values.set(index, value(buffer.bytes(), 0));
      }
    }

    private void readAll() throws IOException {
      RecordBytes kept = spare.getAndSet(null);
      RecordBytes bytes =
          kept == null
              ? new RecordBytes(Arena.ofAuto().allocate(GROUP_BYTES, DirectFile.MAX_BLOCK_BYTES))
              : kept;
      List<ReadRequest> requests = new ArrayList<>(unread.size());
      for (Unread one : unread) {
        MemorySegment target = bytes.memory().asSlice(one.at(), one.source().lengthBytes());
        requests.add(new ReadRequest(one.source().from(), one.source().startBytes(), target));
      }
      List<ReadResult> results;
      try {
        results = reader.readAll(requests);
      } catch (ErrnoException noRing) {
        for (Unread one : unread) {
          getAlone(one.key()); // takes longer, and gives the same
        }
        return;
      }
      for (int i = 0; i < results.size(); i++) {
        take(unread.get(i), results.get(i), bytes);
      }
      spare.set(bytes);
    }

    private void take(Unread one, ReadResult result, RecordBytes bytes) throws IOException {
      int read;
      try {
        read = result.bytesOrThrow();
      } catch (ErrnoException failed) {
        throw new StoreReadException(one.source().file().path(), one.source().startBytes(), failed);
      }
      reader.cameFromFile(one.source(), read);
      int from = one.at() + one.source().leadBytes();
      int length = read - one.source().leadBytes();
      if (!RecordFetcher.isWhole(
          one.source().file(), one.location(), bytes, from, length, buffer.header())) {
        getAlone(one.key()); // says what is wrong with it, or finds where it is now
        return;
      }
      reader.wasRead(one.source().file(), one.location(), bytes, from, buffer.header());
      if (bytes.keyIs(from, buffer.header(), keys.get(one.key()))) {
        values.set(one.key(), value(bytes, from));
      }
    }

    /** Returns the value of a record whose header is in the buffer. */
    private Optional<byte[]> value(RecordBytes bytes, int from) {
      long expiresAtMillis = bytes.expiresAtMillis(from, buffer.header());
      return expiresAtMillis != 0 && expiresAtMillis <= clock.millis()
          ? Optional.empty()
          : Optional.of(bytes.value(from, buffer.header()));
    }
  }
}
