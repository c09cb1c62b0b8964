package dev.tailwater.delivery.tail;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.archive.FileOwner;
import dev.tailwater.delivery.stream.ArchivedContent;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.delivery.sums.BlockRun;
import dev.tailwater.delivery.sums.BlockSums;
import dev.tailwater.io.Marker;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * A file as one destination needs it: how large it was seen, how far it is read, whether it may
 * have been truncated, and whether it still holds what was read. Each of these is a part with a
 * class of its own. What follows from all of them is asked of two others: {@link #work} says what
 * is left to do, and {@link #content} what those wait for who want the file compared.
 *
 * <p>Thread-safe: the watch has it take in looks while a worker reads. It makes no look and no
 * native call itself ({@link TailLook} does), so that nobody who asks about a file waits for its
 * file server. Only the worker that has claimed the tail begins a new stream or moves the position;
 * but until it has {@linkplain #pin pinned} the tail, the worker of another destination may move it
 * on over what that has sealed from the same position.
 */
public final class Tail implements SealTurns.Pinnable {
  private final WatchedFile file;
  private final int lane;
  private final TailScheduling scheduling = new TailScheduling();

  @GuardedBy("this")
  private final ReadPosition read;

  @GuardedBy("this")
  private final SeenSize seen;

  @GuardedBy("this")
  private final TruncationCheck truncation = new TruncationCheck();

  @GuardedBy("this")
  private final ReadContent content;

  @GuardedBy("this")
  private final LookIntake looks;

  @GuardedBy("this")
  private boolean ended;

  private final TailContent contentView;
  private final TailWork workView;

  /**
   * Creates a tail.
   *
   * @param lane the number of the destination among the agent's
   * @param resumed whether it is certain that no earlier run delivered anything of the stream
   * @param identified whether it is certain that this is the stream; otherwise {@link #identify}
   *     follows
   */
  public Tail(
      WatchedFile file, int lane, StreamProgress stream, boolean resumed, boolean identified) {
    this(file, lane, new ReadPosition(stream, resumed, identified));
  }

  private Tail(WatchedFile file, int lane, ReadPosition read) {
    this.file = file;
    this.lane = lane;
    this.read = read;
    this.seen = new SeenSize(read.bytes(), read.stream().earlierSizeBytes());
    this.content = new ReadContent(read, file.comparisons().compares());
    this.looks = new LookIntake(file, read, seen, truncation, content);
    this.contentView = new TailContent(this, read, content);
    this.workView = new TailWork(this, read, seen, truncation, content);
  }

  /**
   * Creates the tail of a file that {@linkplain TailWork#mayLeave left memory}.
   *
   * @param stream as the table of files has it
   */
  public static Tail comeBack(WatchedFile file, int lane, StreamProgress stream) {
    Tail tail = new Tail(file, lane, ReadPosition.comeBack(stream));
    synchronized (tail) {
      tail.content.readingBegins();
    }
    return tail;
  }

  public WatchedFile file() {
    return file;
  }

  /** Returns the number of the destination among the agent's. */
  public int lane() {
    return lane;
  }

  /** Returns what decides when the tail is sealed next. */
  public TailScheduling scheduling() {
    return scheduling;
  }

  /** Returns what tells whether the file holds what was read of it. */
  public TailContent content() {
    return contentView;
  }

  /** Returns what tells what is left to do, and what is at risk until then. */
  public TailWork work() {
    return workView;
  }

  /** Returns the last known name of the file. */
  public PosixPath name() {
    return file.name();
  }

  // Looks at the file, which TailLook makes.

  /** Returns how often what is known of the size has changed. */
  synchronized long news() {
    return looks.news();
  }

  /**
   * Takes in a status; false when it may be older than what is known.
   *
   * @param newsBefore the number of {@link #news} before the look
   */
  synchronized boolean observe(
      long newsBefore, FileStatus status, FileOwner owner, long nowNanos, long nowMillis) {
    if (!looks.observe(newsBefore, status, owner, nowNanos, nowMillis)) {
      return false;
    }
    tellTime(nowNanos, false);
    return true;
  }

  /** If the present stream turns out to have ended, the sizes seen from now on are the next's. */
  synchronized void lookForNextStream() {
    looks.outdate();
    truncation.lookForNextStream();
  }

  /** Takes up any suspicion that bytes were replaced: the caller compares before it reads on. */
  synchronized void readingBegins() {
    truncation.begin();
    content.readingBegins();
  }

  /**
   * Notes that the file was written to. If it has not grown, it may have been written anew with the
   * size that it had, so the bytes before the position must be compared.
   *
   * @return whether that is so: there may be work that the last look did not find
   */
  public synchronized boolean suspect() {
    return looks.suspect();
  }

  /** Returns whether a look at the file has begun after that. */
  public synchronized boolean wasLookedAtAfter(long nanos) {
    return seen.wasLookedAtAfter(nanos);
  }

  /** Returns when the file was last seen to have grown. */
  public synchronized long lastGrowthNanos() {
    return seen.lastGrowthNanos();
  }

  /** Returns when the file was last seen to have been written to. */
  public synchronized long lastChangeNanos() {
    return seen.lastChangeNanos();
  }

  /** Returns the largest size that the file was seen with in its present stream. */
  public synchronized long observedBytes() {
    return seen.bytes();
  }

  /** Returns a hash of the file's attributes as they were last seen; empty if they were not. */
  public OptionalInt attributes() {
    return FileAttributes.hash(observedBytes(), stream().attributes());
  }

  // The position.

  public synchronized StreamProgress stream() {
    return read.stream();
  }

  public synchronized long positionBytes() {
    return read.bytes();
  }

  /** Returns the position with its stream and marker, all of the same moment. */
  public synchronized Position position() {
    return read.now();
  }

  /** Returns how often a worker has begun to read. */
  public synchronized long readings() {
    return content.readings();
  }

  /**
   * Begins a comparison with what was read of the present stream; one at a time.
   *
   * @param idleAtReadings the number of {@link #readings} before a moment when no worker had the
   *     tail; empty when one had
   */
  public synchronized BegunComparison beginComparison(OptionalLong idleAtReadings, long nowNanos) {
    // First: what ends at the position may be saved and forgotten.
    BlockSums.Comparison sums = read.stream().blocks().beginComparison();
    return new BegunComparison(
        read.now(), content.comparisonBegins(idleAtReadings, nowNanos), sums);
  }

  /**
   * Returns where the bytes of the stream end that are known to have been in the file: those that
   * this run has read or, until it has resumed, those that are durable. Empty when no marker tells
   * whether the file still has them.
   */
  public synchronized Optional<Position> lastKnownPosition() {
    return read.lastKnown();
  }

  /** Returns up to where the stream was read, by this run or by one before. */
  public synchronized long readToBytes() {
    return read.readToBytes();
  }

  /** Returns whether every byte that was read is durable at the destination. */
  public synchronized boolean isAllReadDurable() {
    return read.isAllDurable();
  }

  /** Returns whether it is certain which stream the file is at. */
  public synchronized boolean isIdentified() {
    return read.isIdentified();
  }

  /** Returns whether this run has checked the position against the file and the destination. */
  public synchronized boolean isResumed() {
    return read.isResumed();
  }

  /** Returns whether an earlier run may have delivered streams that follow the present one. */
  public synchronized boolean isContinued() {
    return read.isContinued();
  }

  /** Notes that nothing is delivered of the present stream, nor of any that follows it. */
  public synchronized void nothingFollows() {
    read.nothingFollows();
  }

  /**
   * Makes sure that only the caller moves the position from now on; false when the position has
   * moved already.
   */
  @Override
  public synchronized boolean pin(Position at) {
    return read.pin(at);
  }

  @Override
  public synchronized void unpin() {
    read.unpin();
  }

  /**
   * Moves on over a range that another destination's worker has sealed, if this tail is in step: at
   * the same position of the same stream, with nothing of the range delivered.
   *
   * @param run the checksums of the bytes
   * @param status of the file when reading began
   * @param statusAtNanos when that was
   * @return the stream to deliver the range to; empty when the tail has not moved
   */
  public synchronized Optional<StreamProgress> follow(
      Position from,
      long endBytes,
      Marker markerAtEnd,
      BlockRun run,
      FileStatus status,
      long statusAtNanos) {
    if (ended || truncation.isShrunk() || !read.isInStep(from, endBytes)) {
      return Optional.empty();
    }
    if (content.hasComparisonBegunSince(statusAtNanos)) {
      return Optional.empty(); // It may vouch for changes that came after the range was read.
    }
    if (seen.hasGrownTo(status.sizeBytes())) {
      looks.takeIn(status, statusAtNanos); // Or that write would seem to have come later.
    }
    content.wasReadElsewhere();
    confirm(status.sizeBytes());
    advance(endBytes, markerAtEnd, run, endBytes < status.sizeBytes(), statusAtNanos);
    return Optional.of(read.stream());
  }

  /**
   * Replaces the stream, before anything was read, by one that the destination knows. The caller
   * refreshes the tail next, which compares the file with what is known of the stream.
   *
   * @param resumed whether it is certain that no earlier run delivered anything of it
   */
  public synchronized void identify(StreamProgress known, boolean resumed) {
    looks.outdate();
    read.identify(known, resumed);
    seen.heldTo(read.bytes(), known.earlierSizeBytes());
    content.identified();
  }

  /** Sets a position that was checked against the file: reading goes on from here. */
  public synchronized void resumeAt(long positionBytes, Marker marker) {
    looks.outdate();
    read.resumeAt(positionBytes, marker);
    seen.readTo(positionBytes);
    content.resumed();
  }

  /**
   * Moves the position over bytes that were read and handed over.
   *
   * @param run the checksums of the bytes
   * @param sizeSeenAtNanos when the size that bounded the reading was seen: what is unread at the
   *     new position was written later, unless reading stopped early
   */
  public synchronized void advance(
      long positionBytes, Marker marker, BlockRun run, boolean stoppedEarly, long sizeSeenAtNanos) {
    looks.outdate();
    read.advance(positionBytes, marker, run);
    if (stoppedEarly) {
      seen.readTo(positionBytes);
    } else {
      seen.readAllOf(sizeSeenAtNanos, positionBytes);
    }
  }

  // Truncations.

  /** Notes that the bytes before the position were unchanged when the file had this size. */
  public synchronized void confirm(long sizeBytes) {
    truncation.confirm(sizeBytes);
  }

  /** Returns whether the file was truncated, or must be compared since it may have been. */
  synchronized boolean mayBeTruncated() {
    return truncation.isPending();
  }

  /** Returns whether the file was truncated since its present stream began. */
  public synchronized boolean isShrunk() {
    return truncation.isShrunk();
  }

  /**
   * Returns whether the file may be at another stream, since it may have been truncated, or has not
   * {@linkplain #isResumed resumed}. This says nothing of changes in place.
   */
  public synchronized boolean isStreamInDoubt() {
    return !ended && seen.bytes() > 0 && (truncation.isPending() || !read.isResumed());
  }

  /** Returns the largest size that the stream is certain to have had before a truncation. */
  public synchronized long sizeBeforeTruncationBytes() {
    return truncation.sizeBeforeBytes(read.bytes(), seen.bytes());
  }

  /**
   * Begins the stream that follows a truncation. Its size is the largest that was seen since it was
   * looked for: saving may have taken long, and what the watch saw meanwhile may be gone by now.
   */
  public void beginStream(StreamProgress next, FileStatus status, boolean resumed, long nowMillis) {
    noteSeen(next, status, nowMillis);
    synchronized (this) {
      looks.outdate();
      read.beginStream(next, resumed);
      seen.beginStream(truncation.beginStream(status.sizeBytes()));
      next.sizeSeen(seen.bytes());
      content.beginStream(status);
    }
  }

  /**
   * Notes in a stream that is to begin what the file is like, since it is saved before it begins.
   */
  public void noteSeen(StreamProgress next, FileStatus status, long nowMillis) {
    next.sizeSeen(status.sizeBytes());
    file.noteIn(next, status, file.owner(status), nowMillis);
  }

  // The end.

  /** Ends the tail: nothing more is read. */
  public void end() {
    synchronized (this) {
      ended = true;
    }
    file.comparisons().ended(this); // Has a lock that comes before this one.
  }

  public synchronized boolean isEnded() {
    return ended;
  }

  // Comparisons of what was read with the file.

  /**
   * Has the file compared, if it was written to since that was done last, or checksums of it are
   * lost; and looked at again, if the archive must be told of its time later. Each look asks for
   * it; so does who waits, since what was unread at the last look may have been read by now.
   */
  public void requestComparison() {
    boolean changed;
    boolean compared;
    synchronized (this) {
      compared = content.isFullyCompared();
      if (ended || (compared && read.stream().isTimeTold())) {
        return;
      }
      changed = content.looksChanged();
    }
    if (compared) {
      file.comparisons().untold(this);
    } else if (changed) {
      file.comparisons().changed(this);
    } else {
      file.comparisons().grown(this);
    }
  }

  /**
   * Notes that the file was written to and did not grow between the look whose time the archive has
   * for a range and the end of reading it. The range may have the new bytes beside the old time,
   * and its end is delivered once more, with the new time.
   *
   * @param endBytes of the range
   */
  public void overwrittenWhileRead(long endBytes) {
    synchronized (this) {
      read.stream().blocks().outdated(endBytes);
      content.changed();
    }
    requestComparison();
  }

  /** Has all that was read compared, although nothing was seen to be written to it. */
  public synchronized void uncompared() {
    content.changed();
  }

  /**
   * Notes that all that is durable was compared with the file, and what differs is to be delivered.
   *
   * @param of the stream that was compared
   * @param changesAtBegin the number of {@link #changes} before anything was read
   * @param undeliverable whether it differs where nothing can be delivered
   * @param saves asks for a save of the stream, which says then that it is compared; called before
   *     others can find that, since the stream may end and be forgotten as soon as they do
   */
  public synchronized void compared(
      StreamProgress of,
      long changesAtBegin,
      boolean undeliverable,
      Consumer<StreamProgress> saves) {
    if (read.stream() == of) {
      content.compared(changesAtBegin, undeliverable);
      saveUnlessEnded(saves);
    }
  }

  /**
   * Does the same as {@link #compared}, of what has to be compared once more when its pages are
   * written back: nobody finds, nor saves, that it is compared before that is noted.
   */
  public synchronized void comparedBeforeWriteBack(
      StreamProgress of,
      long changesAtBegin,
      boolean undeliverable,
      Consumer<StreamProgress> saves) {
    if (read.stream() == of) {
      content.compared(changesAtBegin, undeliverable);
      content.comparedBeforeWriteBack();
      saveUnlessEnded(saves);
    }
  }

  /**
   * Notes what was compared of the bytes before an offset: what was read behind it was not durable.
   *
   * @param of the stream that was compared
   * @param changesAtBegin the number of {@link #changes} before anything was read
   * @param undeliverable whether they differ where nothing can be delivered
   * @param saves as in {@link #compared}
   */
  public synchronized void partCompared(
      StreamProgress of,
      long changesAtBegin,
      long untilBytes,
      boolean undeliverable,
      Consumer<StreamProgress> saves) {
    if (read.stream() == of) {
      content.partCompared(changesAtBegin, untilBytes, undeliverable);
      saveUnlessEnded(saves);
    }
  }

  /** Has the stream saved of which something was learnt, unless it has ended by now. */
  public synchronized void save(StreamProgress of, Consumer<StreamProgress> saves) {
    if (read.stream() == of) {
      saveUnlessEnded(saves);
    }
  }

  @GuardedBy("this")
  private void saveUnlessEnded(Consumer<StreamProgress> saves) {
    if (!ended) { // Otherwise whoever has ended it saves it, and may have forgotten it by now.
      saves.accept(read.stream());
    }
  }

  /**
   * Takes in the same before {@link #compared} does: whoever finds that no comparison is to come
   * finds, too, that the archive is to be told of the file's time, if it is.
   */
  public synchronized void tellTimeBeforeCompared(
      StreamProgress of, long changesAtBegin, long nowNanos) {
    if (read.stream() == of && content.changes() == changesAtBegin && isAllRead()) {
      tellTimeIfRead(nowNanos, false);
    }
  }

  /**
   * Notes that the file could not be compared.
   *
   * @param saves asks for a save of the stream, if that says now that the file lacks a comparison
   */
  public synchronized void comparisonFailed(
      StreamProgress of, long changesAtBegin, Consumer<StreamProgress> saves) {
    if (read.stream() == of && content.comparisonFailed(changesAtBegin)) {
      saveUnlessEnded(saves);
    }
  }

  /** Returns how often the file was seen to have been written to in its present stream. */
  public synchronized long changes() {
    return content.changes();
  }

  /**
   * Returns whether a comparison can reach an offset: what is before it was read and is durable,
   * and so are all blocks that the archive states something of.
   */
  public synchronized boolean isComparable(long untilBytes) {
    long archivedBytes = read.stream().archived().map(ArchivedContent::blocksEndBytes).orElse(0L);
    return read.isDurable(Math.max(untilBytes, archivedBytes));
  }

  /** Returns whether checksums of what was delivered are lost, and can be learnt. */
  public synchronized boolean hasUnknown() {
    return content.hasUnknown();
  }

  // The modification time, where it is another one beside the same bytes.

  /**
   * Has the archive told of the file's modification time, if it has another one, and no bytes that
   * are still to be delivered tell it. Only of a file that holds what was read of it: a write that
   * is under way, or has replaced bytes, may have set the time.
   *
   * @param atOnce whether also if the archive was told of such a time just before
   */
  public synchronized void tellTime(long nowNanos, boolean atOnce) {
    if (content.holdsWhatWasRead() && isAllRead()) {
      tellTimeIfRead(nowNanos, atOnce);
    }
  }

  @GuardedBy("this")
  private void tellTimeIfRead(long nowNanos, boolean atOnce) {
    read.stream().tellTime(nowNanos, atOnce || file.comparisons().isAwaited());
  }

  /** Returns whether the file has some bytes, and no others than were read are to be delivered. */
  @GuardedBy("this")
  private boolean isAllRead() {
    return !ended
        && read.isIdentified()
        && read.isResumed()
        && !truncation.isPending()
        && read.bytes() > 0
        && seen.bytes() == read.bytes()
        && !read.stream().blocks().isRevising();
  }

  /** Returns whether {@link #tellTime} has the archive told of something. */
  public synchronized boolean mayTellTime(long nowNanos) {
    return read.stream().mayTellTime(nowNanos) && content.holdsWhatWasRead() && isAllRead();
  }

  // Changes in place, that is, bytes that were replaced after they had been read.

  /**
   * Returns whether there may have been one, as far as looks tell: the file was written to, and no
   * append explains that.
   */
  public synchronized boolean mayBeChanged() {
    return content.mayBeChanged();
  }

  /**
   * Returns whether there may have been one until the file had this status: that is {@linkplain
   * #mayBeChanged() so already}, or the file was written to since, and has not grown.
   */
  public synchronized boolean mayBeChanged(FileStatus now) {
    return content.mayBeChanged(now, seen.hasGrownTo(now.sizeBytes()));
  }

  /** Returns whether it {@linkplain #mayBeChanged() may be changed}, and that is certain. */
  public synchronized boolean isKnownToBeChanged() {
    return content.isKnownToBeChanged();
  }
}
