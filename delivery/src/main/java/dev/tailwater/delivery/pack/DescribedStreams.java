package dev.tailwater.delivery.pack;

import dev.tailwater.archive.FileOwner;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.pack.PackedStream;
import dev.tailwater.delivery.checkpoint.NameHash;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.posix.PosixPath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The numbers of streams in a group of packs, and a fingerprint of what was told of each: 40 bytes
 * a place, of which three in eight are in use at least. A stream is told from others by all of its
 * id. Two different descriptions have the same fingerprint about once in 2^64 comparisons, which
 * nobody can bring about, since it depends on a secret of the run; then the later one is not told.
 * Not thread-safe.
 */
final class DescribedStreams {
  private static final int LEAST_PLACES = 16;
  private static final int LONGS_EACH_PLACE = 5;

  /** Where the parts of an id are in its text: the birth time, the hash, the epoch. */
  private static final int BIRTH_END = 13;

  private static final int HASH_AT = 14;
  private static final int HASH_MIDDLE = 26;
  private static final int HASH_END = 30;
  private static final int EPOCH_AT = 31;

  private static final int EPOCH_BITS = 35;

  /** After the three longs of the id; the number is one more, so that a free place has 0. */
  private static final int NUMBER_AND_OWNER = 3;

  private static final int FINGERPRINT = 4;
  private static final int OWNER_SHIFT = 32;

  private final NameHash hash;
  private final List<Optional<FileOwner>> owners = new ArrayList<>();
  private final Map<Optional<FileOwner>, Integer> ownerNumbers = new HashMap<>();
  private long[] table = new long[LEAST_PLACES * LONGS_EACH_PLACE];
  private int places = LEAST_PLACES;
  private int size;

  DescribedStreams(NameHash hash) {
    this.hash = hash;
  }

  int size() {
    return size;
  }

  /** What is known of a stream. */
  interface Known {
    int number();

    /** Returns whether it was told that the file has these attributes. */
    boolean says(StreamProgress.Attributes now);
  }

  private final class Described implements Known {
    private final int at;

    private Described(int at) {
      this.at = at;
    }

    @Override
    public int number() {
      return (int) table[at + NUMBER_AND_OWNER] - 1;
    }

    @Override
    public boolean says(StreamProgress.Attributes now) {
      int owner = (int) (table[at + NUMBER_AND_OWNER] >>> OWNER_SHIFT);
      return (now.owner().isEmpty() || owners.get(owner).equals(now.owner()))
          && table[at + FINGERPRINT]
              == fingerprint(now.path(), now.place().arrivalNanos(), now.permissions());
    }
  }

  private long fingerprint(PosixPath path, OptionalLong arrivalNanos, int permissions) {
    long arrival = arrivalNanos.isPresent() ? 2 * arrivalNanos.getAsLong() + 1 : 0;
    return hash.of(path) + arrival * 0x9e3779b97f4a7c15L + permissions * 0xbf58476d1ce4e5b9L;
  }

  Optional<Known> find(StreamId stream) {
    String id = stream.text();
    int at = place(birth(id), hash(id), epoch(id));
    return isFree(at) ? Optional.empty() : Optional.of(new Described(at));
  }

  /** Adds a description, or replaces the one of the same stream. */
  void put(PackedStream stream) {
    if (4L * (size + 1) > 3L * places) {
      grow();
    }
    String id = stream.stream().text();
    long birth = birth(id);
    long hash = hash(id);
    long epoch = epoch(id);
    int at = place(birth, hash, epoch);
    size += isFree(at) ? 1 : 0;
    table[at] = birth;
    table[at + 1] = hash;
    table[at + 2] = epoch;
    table[at + NUMBER_AND_OWNER] =
        (long) ownerNumber(stream.owner()) << OWNER_SHIFT | (stream.number() + 1L);
    table[at + FINGERPRINT] =
        fingerprint(stream.path(), stream.arrivalNanos(), stream.permissions());
  }

  private int ownerNumber(Optional<FileOwner> owner) {
    Integer known = ownerNumbers.putIfAbsent(owner, owners.size());
    if (known == null) {
      owners.add(owner);
      return owners.size() - 1;
    }
    return known;
  }

  private void grow() {
    long[] before = table;
    places *= 2;
    table = new long[places * LONGS_EACH_PLACE];
    for (int from = 0; from < before.length; from += LONGS_EACH_PLACE) {
      if (before[from + NUMBER_AND_OWNER] != 0) {
        int at = place(before[from], before[from + 1], before[from + 2]);
        System.arraycopy(before, from, table, at, LONGS_EACH_PLACE);
      }
    }
  }

  private boolean isFree(int at) {
    return table[at + NUMBER_AND_OWNER] == 0;
  }

  /** Returns where the stream is, or would be. */
  private int place(long birth, long hash, long epoch) {
    int place = (int) (NameHash.mix(birth ^ NameHash.mix(hash ^ epoch)) & (places - 1));
    int at = place * LONGS_EACH_PLACE;
    while (!isFree(at)
        && !(table[at] == birth && table[at + 1] == hash && table[at + 2] == epoch)) {
      place = (place + 1) & (places - 1);
      at = place * LONGS_EACH_PLACE;
    }
    return at;
  }

  // An id in three numbers: 13, 16 and 7 characters of five bits.

  private static long birth(String id) {
    return digits(id, 0, BIRTH_END);
  }

  private static long hash(String id) {
    return digits(id, HASH_AT, HASH_MIDDLE);
  }

  private static long epoch(String id) {
    return digits(id, HASH_MIDDLE, HASH_END) << EPOCH_BITS
        | digits(id, EPOCH_AT, StreamId.LENGTH_CHARACTERS);
  }

  /** Returns the number of some digits: an id has no others. */
  private static long digits(String text, int from, int to) {
    long value = 0;
    for (int at = from; at < to; at++) {
      char digit = text.charAt(at);
      value = value << 5 | (digit <= '9' ? digit - '0' : digit - 'a' + 10);
    }
    return value;
  }
}
