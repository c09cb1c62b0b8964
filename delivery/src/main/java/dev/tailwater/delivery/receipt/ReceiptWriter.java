package dev.tailwater.delivery.receipt;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.archive.name.GroupBound;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.ReceiptName;
import dev.tailwater.archive.record.Acknowledged;
import dev.tailwater.archive.record.Receipt;
import dev.tailwater.archive.record.ReceiptJson;
import dev.tailwater.archive.sign.ObjectSigner;
import dev.tailwater.archive.sign.RecordSignature;
import dev.tailwater.delivery.checkpoint.CheckpointStore;
import dev.tailwater.delivery.checkpoint.CheckpointStore.Sequence;
import dev.tailwater.delivery.checkpoint.NotedReceipt;
import dev.tailwater.delivery.time.Clocks;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.Entry;
import dev.tailwater.destination.TransientDestinationException;
import dev.tailwater.destination.list.ListedEntries;
import dev.tailwater.destination.retry.OwnObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Puts receipts of one run, numbered from 0, and replaces {@value #MERGED} neighbouring ones by one
 * that says the same. Thread-safe.
 */
public final class ReceiptWriter {
  /** How many receipts become one, and how many of those one again. */
  static final int MERGED = 64;

  /** After so many more receipts, other runs are looked for again. */
  static final int LOOK_EVERY = 10;

  /** After a failed attempt one number is taken; more than that does not end by going on. */
  static final int MAX_TAKEN = 8;

  private final String agent;
  private final Destination destination;
  private final ObjectSigner signer;
  private final CheckpointStore store;
  private final SecureRandom random;
  private final Clocks clocks;
  private final GroupBound bound;

  @GuardedBy("this")
  private Optional<Run> run = Optional.empty();

  /** A run that has begun to write. */
  private static final class Run {
    final PackGroup id;
    final Optional<Receipt.Previous> previous;

    /** The last run of all that were known when it began. */
    final Optional<PackGroup> lastKnown;

    final List<Level> levels = new ArrayList<>();
    int next;

    /** With how many receipts other runs are looked for. */
    int nextLook = 2;

    Run(PackGroup id, Optional<Receipt.Previous> previous, Optional<PackGroup> lastKnown) {
      this.id = id;
      this.previous = previous;
      this.lastKnown = lastKnown;
    }
  }

  /** The receipts since the last time that some became one. */
  private static final class Level {
    final Acknowledged together = new Acknowledged();
    final List<ReceiptName> names = new ArrayList<>();
  }

  /**
   * Creates what writes the receipts of a run.
   *
   * @param bound after which runs this one may be
   */
  public ReceiptWriter(
      String agent,
      Destination destination,
      ObjectSigner signer,
      CheckpointStore store,
      SecureRandom random,
      Clocks clocks,
      GroupBound bound) {
    this.agent = agent;
    this.destination = destination;
    this.signer = signer;
    this.store = store;
    this.random = random;
    this.clocks = clocks;
    this.bound = bound;
  }

  /**
   * Writes what was acknowledged, in one receipt or, if it is much, in several.
   *
   * @param closes whether the agent ends now; if so, a run that has written receipts says it even
   *     if nothing was acknowledged since
   * @throws DestinationException a receipt could not be put; some may have been
   */
  public synchronized void write(Acknowledged acknowledged, boolean closes) throws IOException {
    if (acknowledged.isEmpty() && (!closes || run.isEmpty())) {
      return;
    }
    Run begun = run.isPresent() ? run.get() : begin();
    run = Optional.of(begun);
    List<Acknowledged> parts = parts(acknowledged);
    for (int i = 0; i < parts.size(); i++) {
      put(begun, parts.get(i), closes && i == parts.size() - 1);
    }
  }

  /** Returns whether this run or, as far as the state knows, an earlier one has put a receipt. */
  public synchronized boolean hasWritten() throws IOException {
    return run.filter(begun -> begun.next > 0).isPresent() || store.lastReceipt().isPresent();
  }

  /**
   * Returns another run that has begun since the last one that was known when this one began: the
   * state is locked, so another machine has this agent's name. Looks after the second receipt, and
   * again when {@value #LOOK_EVERY} more are there, or with the next one if it fails.
   */
  public synchronized Optional<PackGroup> otherRun() throws DestinationException {
    if (run.isEmpty() || run.get().next < run.get().nextLook) {
      return Optional.empty();
    }
    Run own = run.get();
    Optional<PackGroup> other = firstRun(own.lastKnown);
    if (other.equals(Optional.of(own.id))) { // It may have any number of receipts.
      other = firstRun(other);
    }
    own.nextLook = own.next + LOOK_EVERY;
    return other;
  }

  /** Returns the first run behind another one of which there is a receipt. */
  private Optional<PackGroup> firstRun(Optional<PackGroup> behind) throws DestinationException {
    int highest = ReceiptName.MAX_NUMBER;
    Optional<String> after =
        behind.map(known -> new ReceiptName(agent, known, highest, highest).key());
    ListedEntries all = new ListedEntries(destination, ReceiptName.prefix(agent), after);
    for (Optional<Entry> next = all.next(); next.isPresent(); next = all.next()) {
      Optional<PackGroup> found =
          ReceiptName.parse(next.get().key()).map(ReceiptName::run).filter(bound::allows);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  @GuardedBy("this")
  private Run begin() throws IOException {
    // Each name has receipts of its own, one after the other.
    Optional<Receipt.Previous> previous =
        store.lastReceipt().filter(last -> last.agent().equals(agent)).map(NotedReceipt::receipt);
    if (previous.isEmpty()) {
      previous = newestAtDestination();
    }
    long nowNanos = TimeUnit.MILLISECONDS.toNanos(clocks.millis());
    PackGroup id =
        previous
            .map(before -> PackGroup.beginAfter(before.run(), nowNanos, random))
            .orElseGet(() -> PackGroup.begin(nowNanos, random));
    // A run that was killed may have put a receipt that the state does not know.
    Optional<PackGroup> lastKnown =
        Stream.concat(
                previous.map(Receipt.Previous::run).stream(),
                store.begun(Sequence.RECEIPTS).stream())
            .max(Comparator.naturalOrder());
    noteBegun(id);
    return new Run(id, previous, lastKnown);
  }

  private void noteBegun(PackGroup run) {
    try {
      store.noteBegun(Sequence.RECEIPTS, run);
    } catch (IOException e) {
      // Saving checkpoints reports it. The next start takes this state for one that was set back,
      // and asks for more than it must.
    }
  }

  /** Without local state, the newest receipt at the destination is that of the last run. */
  private Optional<Receipt.Previous> newestAtDestination() throws DestinationException {
    Optional<ReceiptName> newest = Optional.empty();
    ListedEntries all = new ListedEntries(destination, ReceiptName.prefix(agent));
    for (Optional<Entry> next = all.next(); next.isPresent(); next = all.next()) {
      Optional<ReceiptName> name =
          ReceiptName.parse(next.get().key()).filter(one -> bound.allows(one.run()));
      boolean later =
          name.isPresent()
              && (newest.isEmpty()
                  || name.get().run().compareTo(newest.get().run()) > 0
                  || (name.get().run().equals(newest.get().run())
                      && name.get().last() > newest.get().last()));
      newest = later ? name : newest;
    }
    return newest.map(name -> new Receipt.Previous(name.run(), name.last()));
  }

  /** Divides what is too much for one receipt. */
  private static List<Acknowledged> parts(Acknowledged all) {
    if (all.size() <= ReceiptJson.MAX_ENTRIES) {
      return List.of(all);
    }
    List<Acknowledged> parts = new ArrayList<>();
    parts.add(new Acknowledged());
    all.packs().forEach((group, last) -> part(parts).add(group, last));
    all.trees().forEach((group, last) -> part(parts).addTree(group, last));
    all.ranges()
        .forEach(
            (prefix, ranges) -> {
              Acknowledged part = part(parts);
              ranges.ranges().forEach(range -> part.add(prefix, range));
            });
    all.records().forEach((prefix, atMillis) -> part(parts).add(prefix, atMillis));
    return parts;
  }

  private static Acknowledged part(List<Acknowledged> parts) {
    if (parts.getLast().size() >= ReceiptJson.MAX_ENTRIES) {
      parts.add(new Acknowledged());
    }
    return parts.getLast();
  }

  @GuardedBy("this")
  private void put(Run into, Acknowledged acknowledged, boolean closes) throws IOException {
    ReceiptName name = putNext(into, acknowledged, closes);
    store.noteReceipt(new NotedReceipt(agent, new Receipt.Previous(into.id, name.last())));
    if (!closes) {
      try {
        gather(into, 0, name, acknowledged);
      } catch (DestinationException e) {
        // Where nothing may be removed, or not now, several receipts stay that say the same as one.
      }
    }
  }

  /** Puts a receipt under the next number that is free. */
  @GuardedBy("this")
  private ReceiptName putNext(Run into, Acknowledged acknowledged, boolean closes)
      throws DestinationException {
    for (int taken = 0; taken < MAX_TAKEN; taken++) {
      ReceiptName name = new ReceiptName(agent, into.id, into.next, into.next);
      boolean written = put(into, name, acknowledged, closes);
      into.next++;
      if (written) {
        return name;
      }
      // An earlier attempt, whose answer was lost, has put another receipt under that number.
    }
    throw new TransientDestinationException(
        destination.uri(),
        "put",
        ReceiptName.prefix(agent),
        "of this run, " + MAX_TAKEN + " receipts that this agent does not know are there already",
        "Receipts are tried again later. See whether the agent may read what it has put.");
  }

  /** Puts a receipt; returns whether it is there, and no other one of its name. */
  private boolean put(Run into, ReceiptName name, Acknowledged acknowledged, boolean closes)
      throws DestinationException {
    byte[] json =
        ReceiptJson.write(new Receipt(name, into.previous, clocks.millis(), closes, acknowledged));
    byte[] signed = RecordSignature.add(json, name.key(), signer);
    return OwnObject.put(destination, name.key(), ByteBuffer.wrap(signed));
  }

  /** Adds a receipt to those of its level, which become one when there are enough. */
  @GuardedBy("this")
  private void gather(Run into, int number, ReceiptName name, Acknowledged acknowledged)
      throws DestinationException {
    if (number == into.levels.size()) {
      into.levels.add(new Level());
    }
    Level level = into.levels.get(number);
    level.names.add(name);
    level.together.addAll(acknowledged);
    if (level.names.size() < MERGED) {
      return;
    }
    into.levels.set(number, new Level());
    if (level.together.size() > ReceiptJson.MAX_ENTRIES) {
      return; // They stay as they are.
    }
    ReceiptName merged =
        new ReceiptName(agent, into.id, level.names.getFirst().first(), name.last());
    if (!put(into, merged, level.together, false)) {
      return; // Somebody else's: what it would have replaced stays.
    }
    for (ReceiptName one : level.names) {
      destination.delete(one.key());
    }
    gather(into, number + 1, merged, level.together);
  }
}
