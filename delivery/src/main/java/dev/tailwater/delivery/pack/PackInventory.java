package dev.tailwater.delivery.pack;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.archive.NotAuthenticException;
import dev.tailwater.archive.UnsupportedFormatException;
import dev.tailwater.archive.age.ContentKey;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.GroupBound;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.open.PackOpener;
import dev.tailwater.archive.pack.PackDirectory;
import dev.tailwater.archive.pack.PackedRange;
import dev.tailwater.archive.pack.PackedStream;
import dev.tailwater.archive.pack.StreamFact;
import dev.tailwater.archive.sign.Trust;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.time.ToldTimes;
import dev.tailwater.delivery.trust.ArchiveTrust;
import dev.tailwater.delivery.trust.DoubtedStream;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.Entry;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.destination.TransientDestinationException;
import dev.tailwater.destination.list.ListedEntries;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * What the packs of earlier runs hold at one destination, as their directories say. The agent needs
 * no private key to read those that it has written. One read for each pack that no manifest
 * repeats. Of packs that no trusted key has signed, it says apart what they mention. Thread-safe.
 */
public final class PackInventory {

  /** How often packs are listed that other hosts merge meanwhile. */
  private static final int MOST_LISTINGS = 5;

  private static final String SUBJECT = "damaged packs";
  private static final String HINT =
      "what they held is delivered again, if it is still there; 'tailwater verify' tells more";
  private static final String UNREADABLE_HINT =
      "Nothing is delivered, since it might be there already. Give the agent the key that these"
          + " packs were made with (content_check_key_file), or another name (agent): then it"
          + " begins anew.";
  private static final String NEWER_HINT =
      "Nothing is delivered, since it might be there already. Run the version of Tailwater that"
          + " wrote the pack.";
  private static final String FORGED_HINT =
      NEWER_HINT
          + " If none of yours did, move the object out of the archive, and give the agent a"
          + " signing_key_file: then such objects do not stop it.";

  private final Destination destination;
  private final String agent;
  private final Supplier<Optional<ContentKey>> contentKey;
  private final Problems problems;
  private final ArchiveTrust trust;
  private final GroupBound bound;
  private final PackOpener opener;

  /** What is held, by the prefix of the stream's names. */
  @GuardedBy("this")
  private Map<String, HeldStream> held = Map.of();

  @GuardedBy("this")
  private boolean wasRead;

  @GuardedBy("this")
  private ToldTimes told = ToldTimes.NONE;

  @GuardedBy("this")
  private Optional<PackGroup> latest = Optional.empty();

  @GuardedBy("this")
  private Optional<PackGroup> lastListed = Optional.empty();

  /** The packs of earlier groups are of another state. */
  @GuardedBy("this")
  private PackGroup first = PackGroup.EARLIEST;

  @GuardedBy("this")
  private boolean ofAnotherKey;

  @GuardedBy("this")
  private List<String> superseded = List.of();

  /** What packs say that are not trusted, by the file. */
  @GuardedBy("this")
  private Map<String, List<HeldStream>> doubted = Map.of();

  /**
   * Creates an inventory that knows nothing yet, and believes every pack.
   *
   * @param agent the name under which the packs are archived
   * @param contentKey supplies the key of encrypted packs; asked only if there are any
   */
  public PackInventory(
      Destination destination,
      String agent,
      Supplier<Optional<ContentKey>> contentKey,
      Problems problems) {
    this(
        destination,
        agent,
        contentKey,
        problems,
        new ArchiveTrust(Trust.none(), Optional.empty(), destination, problems),
        GroupBound.none());
  }

  /**
   * Creates an inventory that knows nothing yet.
   *
   * @param agent the name under which the packs are archived
   * @param contentKey supplies the key of encrypted packs; asked only if there are any
   * @param trust which packs are believed
   * @param bound of which groups one may be the last
   */
  public PackInventory(
      Destination destination,
      String agent,
      Supplier<Optional<ContentKey>> contentKey,
      Problems problems,
      ArchiveTrust trust,
      GroupBound bound) {
    this.destination = destination;
    this.agent = agent;
    this.contentKey = contentKey;
    this.problems = problems;
    this.trust = trust;
    this.bound = bound;
    this.opener = new PackOpener(trust.keys());
  }

  /** Returns which objects at the destination are believed. */
  public ArchiveTrust trust() {
    return trust;
  }

  /** Leaves out the packs of earlier groups, which the agent cannot read. */
  public synchronized void beginAt(PackGroup group) {
    first = group;
  }

  /** Returns whether packs of earlier groups are left out. */
  public boolean leavesOutPacks() {
    return first().isPresent();
  }

  private synchronized Optional<PackGroup> first() {
    return first.equals(PackGroup.EARLIEST) ? Optional.empty() : Optional.of(first);
  }

  /**
   * Returns whether a read found a pack that was made with another content key: of one that is not
   * trusted, it cannot be told which streams it mentions.
   */
  public synchronized boolean isOfAnotherKey() {
    return ofAnotherKey;
  }

  /**
   * Returns the last group that the destination has packs of, and that the agent may have begun.
   */
  public Optional<PackGroup> lastGroup() throws DestinationException {
    return last(lengths(PackName.prefix(agent), Optional.empty(), Optional.empty()).keySet());
  }

  private Optional<PackGroup> last(Collection<PackName> names) {
    return names.stream()
        .map(name -> name.id().group())
        .filter(bound::allows)
        .max(Comparator.naturalOrder());
  }

  /**
   * Reads the directories of the packs of this group and of all later ones.
   *
   * @param from empty: of all groups that this state began
   * @throws PermanentDestinationException when there are packs that the agent cannot read: it must
   *     not deliver anything before it knows what they hold
   */
  public void read(Optional<PackGroup> from) throws DestinationException {
    Map<String, HeldStream> found = new HashMap<>();
    Optional<PackGroup> last = Optional.empty();
    Map<PackGroup, Map<Integer, HeldStream>> byNumber = new HashMap<>();
    PackDirectories directories = directories(from.or(this::first));
    for (Map.Entry<PackName, List<PackDirectory>> pack : directories.all().entrySet()) {
      PackGroup group = pack.getKey().id().group();
      if (!Optional.of(group).equals(last)) {
        byNumber.clear();
        last = Optional.of(group);
      }
      for (PackDirectory directory : pack.getValue()) {
        // A pack that another host made of several groups has directories of all of them.
        PackGroup of = directory.id().group();
        add(
            directory,
            pack.getKey().encrypted(),
            byNumber.computeIfAbsent(of, any -> new HashMap<>()),
            found);
      }
    }
    Map<String, List<HeldStream>> doubts =
        PackDoubts.of(agent, directories).stream()
            .collect(Collectors.groupingBy(one -> one.stream().withoutEpoch()));
    List<String> removable = removable(directories);
    trust.report();
    synchronized (this) {
      wasRead = true;
      held = found;
      latest = last(directories.all().keySet());
      superseded = removable;
      doubted = doubts;
    }
  }

  /** Reads the directories; lists again when packs have been merged meanwhile. */
  private PackDirectories directories(Optional<PackGroup> from) throws DestinationException {
    PackDirectories directories = new PackDirectories();
    Map<PackName, List<PackDirectory>> repeated = new HashMap<>();
    String prefix = PackName.prefix(agent);
    Optional<String> after = from.map(group -> PackName.prefix(agent, group));
    for (int listings = 0; listings < MOST_LISTINGS; listings++) {
      Map<PackName, Long> listed = lengths(prefix, after, Optional.empty());
      noteListed(listed.keySet());
      if (listings == 0) {
        repeated.putAll(
            new RepeatedDirectories(new ManifestStore(destination, agent), contentKey, opener)
                .read(listed));
      }
      if (directories.read(listed.keySet(), name -> directories(name, repeated))) {
        return directories;
      }
    }
    throw new TransientDestinationException(
        destination.uri(),
        "list",
        prefix,
        "packs that are listed are gone when they are read, again and again",
        DestinationException.MAY_PASS);
  }

  private synchronized void noteListed(Collection<PackName> listed) {
    lastListed = last(listed);
  }

  /** Returns the keys of the packs that are covered by those whose signatures have them removed. */
  private List<String> removable(PackDirectories directories) throws DestinationException {
    List<String> keys = new ArrayList<>();
    for (Map.Entry<PackName, List<PackName>> one : directories.covered().entrySet()) {
      if (trust.isChecked() || allowsRemovals(one.getKey())) {
        one.getValue().forEach(covered -> keys.add(covered.key()));
      }
    }
    return keys;
  }

  private boolean allowsRemovals(PackName merged) throws DestinationException {
    Trust keys = trust.removalKeys();
    if (!keys.isChecked()) {
      return true;
    }
    try {
      return !open(new PackOpener(keys), merged, front(merged)).isEmpty();
    } catch (PermanentDestinationException e) {
      return false; // It is merged into another one meanwhile, or nobody can read it.
    } catch (DestinationException e) {
      throw e;
    } catch (IOException e) {
      return false; // Nobody known has signed it, or it is damaged.
    }
  }

  /** Returns the names of the packs of a group. */
  public List<PackName> namesOf(PackGroup group) throws DestinationException {
    String prefix = PackName.prefix(agent, group);
    return List.copyOf(lengths(prefix, Optional.empty(), Optional.empty()).keySet());
  }

  /**
   * Returns the packs that are there, with the lengths of their objects.
   *
   * @param names only the groups of these, and those between them, are listed; at least one
   */
  public Map<PackName, Long> lengthsBetween(Collection<PackName> names)
      throws DestinationException {
    List<PackGroup> groups = names.stream().map(name -> name.id().group()).sorted().toList();
    return lengths(
        PackName.prefix(agent),
        Optional.of(PackName.prefix(agent, groups.getFirst())),
        Optional.of(groups.getLast()));
  }

  /** Returns whether a pack is there, and its directory can be read. */
  public boolean isReadable(PackName name) throws DestinationException {
    return directories(name) instanceof PackDirectories.Found.Read;
  }

  /** Lists packs in the order of their keys, with the lengths of their objects. */
  private Map<PackName, Long> lengths(
      String prefix, Optional<String> from, Optional<PackGroup> lastGroup)
      throws DestinationException {
    Map<PackName, Long> lengths = new LinkedHashMap<>();
    ListedEntries all = new ListedEntries(destination, prefix, from);
    for (Optional<Entry> next = all.next(); next.isPresent(); next = all.next()) {
      long objectBytes = next.get().sizeBytes();
      Optional<PackName> name = PackName.parse(next.get().key());
      if (name.isPresent()
          && lastGroup.isPresent()
          && name.get().id().group().compareTo(lastGroup.get()) > 0) {
        break;
      }
      name.ifPresent(found -> lengths.put(found, objectBytes));
    }
    return lengths;
  }

  private PackDirectories.Found directories(
      PackName name, Map<PackName, List<PackDirectory>> repeated) throws DestinationException {
    List<PackDirectory> known = repeated.remove(name);
    return known != null ? new PackDirectories.Found.Read(known) : directories(name);
  }

  private PackDirectories.Found directories(PackName name) throws DestinationException {
    byte[] front;
    try {
      front = front(name);
    } catch (NoSuchObjectException gone) {
      return new PackDirectories.Found.Gone();
    }
    try {
      List<PackDirectory> directories = open(opener, name, front);
      if (directories.isEmpty()) {
        noteOtherKey();
        throw unreadable(name, "it was made with another key, or without one", UNREADABLE_HINT);
      }
      return new PackDirectories.Found.Read(directories);
    } catch (NotAuthenticException e) {
      trust.refuse(name.key(), e);
      return doubted(name, front);
    } catch (DestinationException e) {
      throw e;
    } catch (UnsupportedFormatException newer) {
      throw unreadable(
          name, String.valueOf(newer.getMessage()), trust.isChecked() ? NEWER_HINT : FORGED_HINT);
    } catch (IOException damaged) {
      problems.reportHarmless(
          SUBJECT, String.valueOf(damaged.getMessage()), Optional.of(HINT), true);
      return new PackDirectories.Found.Damaged();
    }
  }

  private byte[] front(PackName name) throws DestinationException {
    try (InputStream object = destination.read(name.key(), 0, PackOpener.wantedBytes(name))) {
      return object.readNBytes(PackOpener.wantedBytes(name));
    } catch (DestinationException e) {
      throw e;
    } catch (IOException e) {
      throw TransientDestinationException.whileReading(destination.uri(), name.key(), e);
    }
  }

  private List<PackDirectory> open(PackOpener with, PackName name, byte[] front)
      throws IOException {
    return with.openForAgent(
        name,
        new ByteArrayInputStream(front),
        name.encrypted() ? contentKey.get() : Optional.empty());
  }

  /** Reads which streams a pack mentions that no trusted key has signed, as far as it can. */
  private PackDirectories.Found doubted(PackName name, byte[] front) throws DestinationException {
    try {
      List<PackDirectory> directories = open(new PackOpener(), name, front);
      if (directories.isEmpty()) {
        noteOtherKey();
      }
      return new PackDirectories.Found.Doubted(directories);
    } catch (DestinationException e) {
      throw e;
    } catch (IOException damaged) {
      return new PackDirectories.Found.Doubted(List.of());
    }
  }

  private synchronized void noteOtherKey() {
    ofAnotherKey = true;
  }

  private PermanentDestinationException unreadable(PackName name, String why, String hint) {
    return new PermanentDestinationException(
        destination.uri(),
        "read",
        name.key(),
        "the agent cannot tell what it has delivered in this pack: " + why,
        hint);
  }

  private void add(
      PackDirectory directory,
      boolean encrypted,
      Map<Integer, HeldStream> byNumber,
      Map<String, HeldStream> found) {
    noteTime(directory.sealedAtMillis());
    for (PackedStream stream : directory.streams()) {
      String prefix = ArchiveNames.streamPrefix(agent, stream.birthPath(), stream.stream());
      HeldStream of = found.computeIfAbsent(prefix, any -> new HeldStream(stream, prefix));
      of.describe(stream);
      noteArrival(TimeUnit.NANOSECONDS.toMillis(stream.arrivalNanos().orElse(0)));
      byNumber.put(stream.number(), of);
    }
    for (PackedRange range : directory.ranges()) {
      HeldStream of = byNumber.get(range.number());
      if (of != null) { // Otherwise no reader can tell whose bytes these are: not held.
        of.add(range, encrypted, directory.sealedAtMillis(range));
        of.toldAt(directory.sealedAtMillis());
      }
    }
    Set<Integer> withRange =
        directory.id().isMerged() || directory.facts().isEmpty()
            ? Set.of()
            : directory.ranges().stream().map(PackedRange::number).collect(Collectors.toSet());
    for (StreamFact fact : directory.facts()) {
      HeldStream of = byNumber.get(fact.number());
      if (of != null) {
        of.add(fact, withRange.contains(fact.number()));
        of.toldAt(directory.sealedAtMillis());
      }
    }
  }

  /** Reads the directories of all packs, unless some have been read. */
  public void readOnce() throws DestinationException {
    synchronized (this) {
      if (wasRead) {
        return;
      }
    }
    read(Optional.empty());
  }

  /** Notes a time of which a pack tells, or another object of the agent. */
  public synchronized void noteTime(long millis) {
    told = told.with(millis, bound);
  }

  /** Notes a time of which the archive tells that may be an arrival at a path. */
  public synchronized void noteArrival(long millis) {
    told = told.withArrival(millis, bound);
  }

  /**
   * Notes when an object was written by the clock of the destination, which may be set to any time:
   * that this machine's clock is a year behind it says nothing.
   */
  public synchronized void noteWritten(long millis) {
    if (bound.allows(millis)) {
      noteTime(millis);
    }
  }

  /** Returns the latest of the times that were noted. */
  public synchronized ToldTimes told() {
    return told;
  }

  /** Returns what was found of a stream. */
  public synchronized Optional<HeldStream> of(String streamPrefix) {
    return Optional.ofNullable(held.get(streamPrefix));
  }

  /** Returns what was found of all streams. */
  public synchronized List<HeldStream> all() {
    return List.copyOf(held.values());
  }

  /** Returns the keys of the packs that were found and that a merged one covers. */
  public synchronized List<String> superseded() {
    return superseded;
  }

  /** Returns the streams that packs mention which are there and are not trusted. */
  public synchronized List<DoubtedStream> doubted() {
    return doubted.values().stream()
        .flatMap(List::stream)
        .map(one -> new DoubtedStream(one.stream(), one.birthPath(), one.streamPrefix()))
        .toList();
  }

  /**
   * Returns what packs say that are not trusted of all streams of one file.
   *
   * @param stream any of them
   */
  public synchronized List<HeldStream> doubted(StreamId stream) {
    return doubted.getOrDefault(stream.withoutEpoch(), List.of());
  }

  /** Returns the last group that was found, and that the agent may have begun. */
  public synchronized Optional<PackGroup> latest() {
    return latest;
  }

  /**
   * Returns the last group whose packs were listed, whether they could be read or not, and that the
   * agent may have begun.
   */
  public synchronized Optional<PackGroup> lastListed() {
    return lastListed;
  }
}
