package dev.tailwater.delivery.checkpoint;

import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.record.Receipt;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.WriteBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The notes about one destination in the agent's state, and its table of files. Keys have a hash of
 * the destination, so that one state directory can serve several destinations, at once or one after
 * another. Every method that writes returns when the change is durable. Thread-safe.
 */
public final class CheckpointStore {
  private static final String CLEAN_PREFIX = "clean/";

  private final KeyValueStore store;
  private final FileTable files;
  private final String destination;
  private final byte[] cleanKey;
  private final byte[] settledKey;
  private final byte[] lossKey;
  private final byte[] mergeKey;
  private final byte[] lookingKey;
  private final byte[] packsKey;
  private final byte[] beginningKey;
  private final byte[] treeKey;
  private final byte[] receiptKey;
  private final byte[] probeKey;
  private final byte[] forgottenKey;
  private final byte[] agentKey;
  private final byte[] destinationKey;
  private final byte[] destinationUri;

  /**
   * Creates the view of one destination.
   *
   * @param notes holds the notes
   * @param files holds the table of files
   */
  public CheckpointStore(KeyValueStore notes, KeyValueStore files, String destinationUri) {
    this(notes, TableStore.of(files), destinationUri, Optional.empty());
  }

  CheckpointStore(
      KeyValueStore notes,
      TableStore files,
      String destinationUri,
      Optional<TableCheck.Found> found) {
    this.store = notes;
    this.destination = shortHash(destinationUri);
    this.files = new FileTable(files, destination, found);
    this.cleanKey = ascii(CLEAN_PREFIX + destination);
    this.settledKey = settledKey(destination);
    this.lossKey = ascii("loss/" + destination);
    this.mergeKey = ascii("merge/" + destination);
    this.lookingKey = lookingKey(destination);
    this.packsKey = ascii("packs/" + destination);
    this.beginningKey = ascii("beginning/" + destination);
    this.treeKey = ascii("tree/" + destination);
    this.receiptKey = ascii("receipt/" + destination);
    this.probeKey = ascii("probe/" + destination);
    this.forgottenKey = ascii("forgotten/" + destination);
    this.agentKey = ascii("agent/" + destination);
    this.destinationKey = destinationKey(destination);
    this.destinationUri = destinationUri.getBytes(StandardCharsets.UTF_8);
  }

  /** Removes the notes of clean ends, for every destination. */
  static void forgetCleanEnds(KeyValueStore store) throws IOException {
    WriteBatch batch = new WriteBatch();
    store.forEach(ascii(CLEAN_PREFIX), (key, value) -> batch.remove(key));
    store.apply(batch);
  }

  /** What the last run left. */
  public enum PreviousRun {
    /** There is no state for this destination: a first run, or the state was lost. */
    NONE,
    /** It did not end cleanly: segments may be durable that no checkpoint knows. */
    INTERRUPTED,
    CLEAN
  }

  /** Notes that a run is under way; returns how the one before ended. */
  public PreviousRun begin() throws IOException {
    boolean known = store.get(settledKey).isPresent();
    boolean clean = endedCleanly();
    WriteBatch batch = new WriteBatch();
    batch.put(destinationKey, destinationUri).put(lookingKey, new byte[] {1}).remove(cleanKey);
    store.apply(StateTakeOver.refuseEarlierAgents(batch, destination));
    if (!known) {
      return PreviousRun.NONE;
    }
    return clean ? PreviousRun.CLEAN : PreviousRun.INTERRUPTED;
  }

  /**
   * Returns whether the last run noted its end, and the table of files has all its rows: a log that
   * is cut looks like one whose last write was torn.
   */
  private boolean endedCleanly() throws IOException {
    Optional<byte[]> note = store.get(cleanKey);
    if (note.isEmpty()) {
      return false;
    }
    // Earlier agents noted one byte, and no runs.
    return note.get().length != Long.BYTES
        || ByteBuffer.wrap(note.get()).getLong() == files.endedRuns();
  }

  /**
   * Notes that the destination holds streams that no checkpoint knows. Their files may be out of
   * sight now and come back in a later run.
   */
  public void noteLoss(long nowMillis) throws IOException {
    store.put(lossKey, ByteBuffer.allocate(Long.BYTES).putLong(nowMillis).array());
  }

  /** Returns whether a loss was noted at that time or later. */
  public boolean lossSince(long millis) throws IOException {
    return store
        .get(lossKey)
        .filter(value -> value.length == Long.BYTES && ByteBuffer.wrap(value).getLong() >= millis)
        .isPresent();
  }

  /**
   * Notes that every file of the first scan is recorded, so that the next start need not list the
   * whole destination to find what a lost state knew.
   */
  public void settled() throws IOException {
    if (store.get(settledKey).isEmpty()) {
      store.put(settledKey, new byte[] {1});
    }
  }

  /** Notes that every file that was there when this run began is recorded. */
  public void looked() throws IOException {
    store.remove(lookingKey);
  }

  /** Returns if the state takes writes and can be read; else it throws. */
  void probe() throws IOException {
    store.put(probeKey, new byte[] {1});
    store.remove(probeKey);
    var _ = files.isEmpty();
  }

  /** Returns what the destination was told of directories. */
  public Optional<byte[]> treeNotes() throws IOException {
    return store.get(treeKey);
  }

  /** Notes what the destination was told of directories. */
  public void noteTree(byte[] notes) throws IOException {
    store.put(treeKey, notes);
  }

  /** Notes a clean end: nothing is in flight, and every checkpoint is up to date. */
  public void end() throws IOException {
    store.put(cleanKey, ByteBuffer.allocate(Long.BYTES).putLong(files.endRun()).array());
  }

  /**
   * A segment that is about to supersede those whose ranges lie within its own.
   *
   * @param key the name of its object
   * @param rawCrc32c of its raw bytes, to tell it from another agent's object of that name
   */
  public record NotedMerge(String key, int rawCrc32c) {}

  /** Notes a merge: what it supersedes must be removed once its segment exists. */
  public void noteMerge(NotedMerge merge) throws IOException {
    byte[] key = ascii(merge.key());
    store.put(
        mergeKey,
        ByteBuffer.allocate(Integer.BYTES + key.length).putInt(merge.rawCrc32c()).put(key).array());
  }

  /** Returns the merge that was noted, if the note was not removed. */
  public Optional<NotedMerge> notedMerge() throws IOException {
    return store
        .get(mergeKey)
        .filter(value -> value.length > Integer.BYTES)
        .map(
            value ->
                new NotedMerge(
                    new String(
                        value,
                        Integer.BYTES,
                        value.length - Integer.BYTES,
                        StandardCharsets.US_ASCII),
                    ByteBuffer.wrap(value).getInt()));
  }

  /** Removes the note of a merge: nothing superseded is left. */
  public void forgetMerge() throws IOException {
    store.remove(mergeKey);
  }

  /** Notes that the checkpoints know all that is in the groups of packs before this one. */
  public void notePackGroup(PackGroup group) throws IOException {
    store.put(packsKey, ascii(group.text()));
  }

  /**
   * Returns the group that was noted last: later ones may hold more than the checkpoints know.
   * Empty if no packs were delivered, or that was never noted.
   */
  public Optional<PackGroup> packGroup() throws IOException {
    return group(packsKey);
  }

  /** What runs put one after the other under names that sort by time. */
  public enum Sequence {
    PACKS("packs"),
    RECEIPTS("receipts");

    private final String text;

    Sequence(String text) {
      this.text = text;
    }
  }

  /**
   * Notes, before anything of it is put, that this state knows of a group of packs or of a run of
   * receipts: if the destination has later ones, then the state was set back.
   */
  public void noteBegun(Sequence sequence, PackGroup known) throws IOException {
    if (begun(sequence).filter(last -> last.compareTo(known) >= 0).isEmpty()) {
      store.put(begunKey(sequence), ascii(known.text()));
    }
  }

  /** Returns the last that was noted; empty if nothing was put, or before agents noted it. */
  public Optional<PackGroup> begun(Sequence sequence) throws IOException {
    return group(begunKey(sequence));
  }

  private byte[] begunKey(Sequence sequence) {
    return ascii("begun-" + sequence.text + "/" + destination);
  }

  private Optional<PackGroup> group(byte[] key) throws IOException {
    return store
        .get(key)
        .map(value -> new String(value, StandardCharsets.US_ASCII))
        .filter(PackGroup::isValid)
        .map(PackGroup::new);
  }

  /** Returns the name of an agent under which bytes of some file are durable; empty if none are. */
  public Optional<String> agentOfDurableBytes() throws IOException {
    return files.agentOfDurableBytes();
  }

  /**
   * Forgets what was delivered and told, so that only the destination tells it. Where that fails, a
   * part may be forgotten. The next start, if this one is killed before its first scan ends, asks
   * as after a lost state; and the last receipt stays until the loss is noted, so that it finds
   * again what this one found.
   */
  public void forgetDelivered() throws IOException {
    store.remove(settledKey);
    files.clear();
    store.apply(new WriteBatch().remove(mergeKey).remove(treeKey).remove(agentKey));
  }

  /** Notes the name under which the agent delivers; streams of that time keep it. */
  public void noteAgent(String name) throws IOException {
    store.put(agentKey, ascii(name));
  }

  /** Returns the name that was noted. */
  public Optional<String> notedAgent() throws IOException {
    return store.get(agentKey).map(name -> new String(name, StandardCharsets.US_ASCII));
  }

  /**
   * Notes where this state begins.
   *
   * @param unknown the checkpoints know all that is in the groups of packs before this one
   */
  public void noteBeginning(Beginning beginning, PackGroup unknown) throws IOException {
    byte[] group = ascii(beginning.group().text());
    byte[] note =
        ByteBuffer.allocate(Integer.BYTES + group.length)
            .putInt(beginning.firstEpoch())
            .put(group)
            .array();
    store.apply(new WriteBatch().put(beginningKey, note).put(packsKey, ascii(unknown.text())));
  }

  /** Returns where this state begins. */
  public Beginning beginning() throws IOException {
    return store
        .get(beginningKey)
        .filter(note -> note.length > Integer.BYTES)
        .map(ByteBuffer::wrap)
        .map(note -> new Beginning(note.getInt(), group(note)))
        .orElse(Beginning.OF_ARCHIVE);
  }

  private static PackGroup group(ByteBuffer rest) {
    return new PackGroup(StandardCharsets.US_ASCII.decode(rest).toString());
  }

  /** Notes the last receipt that the agent has put. */
  public void noteReceipt(NotedReceipt noted) throws IOException {
    Receipt.Previous receipt = noted.receipt();
    store.put(receiptKey, ascii(receipt.run() + " " + receipt.last() + " " + noted.agent()));
  }

  /** Returns the receipt that was noted last; empty if there is none, or it was never noted. */
  public Optional<NotedReceipt> lastReceipt() throws IOException {
    return store
        .get(receiptKey)
        .map(value -> new String(value, StandardCharsets.US_ASCII).split(" ", -1))
        .filter(words -> words.length == 3 && PackGroup.isValid(words[0]))
        .filter(words -> words[1].matches("[0-9]{1,8}"))
        .map(
            words ->
                new NotedReceipt(
                    words[2],
                    new Receipt.Previous(new PackGroup(words[0]), Integer.parseInt(words[1]))));
  }

  /** Removes the note of a receipt that the destination does not have. */
  public void forgetReceipt(NotedReceipt missing) throws IOException {
    if (lastReceipt().equals(Optional.of(missing))) {
      store.remove(receiptKey);
    }
  }

  /** Notes, before their rows are removed, which files are forgotten. */
  public void noteForgotten(ForgottenFiles files) throws IOException {
    store.put(forgottenKey, files.toBytes());
  }

  /**
   * Returns which files were forgotten.
   *
   * @param nobodyAsksBeforeMillis of a loss that was noted earlier, no destination is asked any
   *     more which streams there are
   */
  public ForgottenFiles forgotten(long nobodyAsksBeforeMillis) throws IOException {
    ForgottenFiles noted =
        store.get(forgottenKey).map(ForgottenFiles::fromBytes).orElse(ForgottenFiles.NONE);
    Optional<Long> lossMillis =
        store
            .get(lossKey)
            .filter(value -> value.length == Long.BYTES)
            .map(value -> ByteBuffer.wrap(value).getLong())
            .filter(millis -> millis < nobodyAsksBeforeMillis);
    return lossMillis.map(noted::withAllOf).orElse(noted);
  }

  /** Returns the table of the files that are known. */
  public FileTable files() {
    return files;
  }

  static byte[] destinationKey(String destination) {
    return ascii("destination/" + destination);
  }

  static byte[] settledKey(String destination) {
    return ascii("settled/" + destination);
  }

  static byte[] lookingKey(String destination) {
    return ascii("looking/" + destination);
  }

  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  static String shortHash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JVM has SHA-256", e);
    }
  }
}
