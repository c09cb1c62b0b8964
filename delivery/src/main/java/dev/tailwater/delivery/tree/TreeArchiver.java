package dev.tailwater.delivery.tree;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.archive.pack.DirectoryStatement;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.thread.WorkLoop;
import dev.tailwater.delivery.time.Clocks;
import dev.tailwater.delivery.time.Deadline;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The thread that tells one destination of directories, links and further names: at the start,
 * every half minute if something has changed, and once more at the end of a drain. Nothing waits
 * for it. What cannot be told now is told later; after a failure everything is told again.
 */
public final class TreeArchiver {
  private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final String SUBJECT = "directories";
  private static final String HINT = "files are delivered all the same; this is tried again";

  private static final String ATTRIBUTES_SUBJECT = "extended attributes";
  private static final String TELLING = "telling of directories";

  private final TreeSurvey survey;
  private final Optional<AttributeSurvey> attributes;
  private final TreePacks packs;
  private final Memory memory;
  private final Supplier<Map<PosixPath, List<DirectoryStatement.FurtherName>>> further;
  private final Problems problems;
  private final Clocks clocks;
  private final LongSupplier lookMillis;
  private final Thread thread;

  @GuardedBy("this")
  private boolean stopped;

  /** How many last passes were asked for, and how many of these are over. */
  @GuardedBy("this")
  private int asked;

  @GuardedBy("this")
  private int answered;

  /** Used by the thread only. */
  private boolean resumed;

  /** Whether the first pass has begun; used by the thread only. */
  private boolean begun;

  /** What an agent remembers over restarts. */
  public interface Memory {
    /** Returns what was told in earlier runs. */
    Optional<TreeNotes> read() throws IOException;

    /** Notes what is told; durable when this returns. */
    void write(TreeNotes notes) throws IOException;
  }

  TreeArchiver(
      TreeSurvey survey,
      Optional<AttributeSurvey> attributes,
      TreePacks packs,
      Memory memory,
      Supplier<Map<PosixPath, List<DirectoryStatement.FurtherName>>> further,
      Problems problems,
      Clocks clocks,
      LongSupplier lookMillis,
      Function<Runnable, Thread> threads) {
    this.survey = survey;
    this.attributes = attributes;
    this.packs = packs;
    this.memory = memory;
    this.further = further;
    this.problems = problems;
    this.clocks = clocks;
    this.lookMillis = lookMillis;
    this.thread = threads.apply(this::run);
  }

  /** Looks again at once, since the agent may soon be gone. */
  public synchronized void hurry() {
    asked++;
    notifyAll();
  }

  /** Starts the thread, which looks at once; when the files are known that are there. */
  public synchronized void start() {
    if (!stopped) {
      thread.start();
    }
  }

  private void run() {
    try {
      new WorkLoop(problems, TELLING).run(this::pass);
    } finally {
      synchronized (this) {
        stopped = true;
        notifyAll();
      }
    }
  }

  /** Tells once, as soon as a pass is due; false when the thread is to end. */
  private boolean pass() throws InterruptedException {
    int answering = 0;
    boolean last = false;
    if (begun) {
      synchronized (this) {
        answering = await();
        last = answering > answered;
        if (stopped) {
          return false;
        }
      }
    }
    begun = true;
    tell(last ? TreeSurvey.Depth.LAST : TreeSurvey.Depth.CHANGES);
    synchronized (this) {
      answered = Math.max(answered, answering);
      notifyAll();
    }
    return true;
  }

  /** Waits until a pass is due; returns how many were asked for. */
  @GuardedBy("this")
  private int await() throws InterruptedException {
    Deadline next = Deadline.after(Duration.ofNanos(INTERVAL_NANOS), clocks.nanoClock());
    while (!stopped && asked == answered && !next.isPast()) {
      next.timedWait(this);
    }
    return asked;
  }

  private synchronized boolean isStopped() {
    return stopped;
  }

  /** Tells what there is to tell. A failure is reported; the next pass tells everything. */
  private void tell(TreeSurvey.Depth depth) throws InterruptedException {
    boolean told = false;
    try {
      tellOnce(depth);
      told = true;
      resolved();
      attributes.ifPresent(this::reportAttributes);
    } catch (IOException e) {
      report(e);
    } catch (RuntimeException | Error e) {
      report(new IOException("telling failed: " + e, e));
    } finally {
      if (!told) {
        packs.abandon();
      }
    }
  }

  /** Reports a failure, unless destination and state are being closed. */
  private void report(IOException failure) {
    if (!isStopped()) {
      problems.reportHarmless(SUBJECT, failure, HINT);
    }
  }

  private void resolved() {
    if (survey.leftOut() > 0) {
      problems.reportHarmless(
          SUBJECT,
          new IOException(
              survey.leftOut()
                  + (survey.leftOut() == 1 ? " directory or link is" : " directories and links are")
                  + " not archived: there are too many"),
          "files are delivered all the same");
    } else if (survey.unreadable() > 0) {
      problems.reportHarmless(
          SUBJECT,
          new IOException(
              survey.unreadable()
                  + (survey.unreadable() == 1 ? " directory" : " directories")
                  + " cannot be read"),
          "what can be read below is delivered all the same");
    } else {
      problems.resolved(SUBJECT);
    }
  }

  private void reportAttributes(AttributeSurvey survey) {
    Optional<String> shortcoming = survey.shortcoming();
    if (shortcoming.isPresent()) {
      problems.reportHarmless(
          ATTRIBUTES_SUBJECT, new IOException(shortcoming.get()), "their bytes are delivered");
    } else {
      problems.resolved(ATTRIBUTES_SUBJECT);
    }
  }

  private void tellOnce(TreeSurvey.Depth depth) throws IOException, InterruptedException {
    long nowNanos = TimeUnit.MILLISECONDS.toNanos(clocks.millis());
    packs.beginPass(lookMillis.getAsLong()); // Before anything is looked at.
    Map<PosixPath, List<DirectoryStatement.FurtherName>> names = further.get();
    if (!resumed) {
      resume(names, nowNanos);
    }
    long before = digest();
    attributes.ifPresent(AttributeSurvey::look);
    boolean whole = packs.mustBeginGroup();
    if (whole) {
      survey.pass(TreeSurvey.Depth.LOOK, names, nowNanos, _ -> {});
      if (survey.directories() == 0 && attributes.map(AttributeSurvey::isEmpty).orElse(true)) {
        return; // The sources are files.
      }
      packs.beginGroup();
    }
    survey.pass(whole ? TreeSurvey.Depth.ALL : depth, names, nowNanos, packs);
    if (attributes.isPresent()) {
      attributes.get().say(whole, packs);
    }
    packs.end();
    if (whole || digest() != before) {
      memory.write(new TreeNotes(digest(), packs.group(), packs.nextNumber()));
    }
  }

  private long digest() {
    return survey.digest() + attributes.map(AttributeSurvey::digest).orElse(0L);
  }

  /** Finds out whether an earlier run has told all that is there. */
  private void resume(Map<PosixPath, List<DirectoryStatement.FurtherName>> names, long nowNanos)
      throws IOException, InterruptedException {
    Optional<TreeNotes> notes = memory.read();
    if (notes.isPresent()) {
      survey.pass(TreeSurvey.Depth.LOOK, names, nowNanos, _ -> {});
      survey.noteAllSaid(nowNanos);
      attributes.ifPresent(AttributeSurvey::look);
      attributes.ifPresent(AttributeSurvey::noteAllSaid);
      boolean same = digest() == notes.get().digest();
      packs.resume(notes.get().group(), notes.get().nextNumber(), same);
    }
    resumed = true;
  }

  /**
   * Tells once more what is there now, and waits for that.
   *
   * @param patience how long to wait at most; the pass goes on meanwhile
   * @return whether all is told
   */
  public boolean finish(Duration patience) throws InterruptedException {
    Deadline end = Deadline.after(patience, clocks.nanoClock());
    synchronized (this) {
      int mine = ++asked;
      notifyAll();
      while (!stopped && answered < mine && !end.isPast()) {
        end.timedWait(this);
      }
      if (answered >= mine) {
        return true;
      }
    }
    report(new IOException("there was no time to tell of all that has changed"));
    return false;
  }

  /** Begins to end the thread; returns at once. */
  public synchronized void stop() {
    stopped = true;
    notifyAll();
  }

  /** Waits, after {@link #stop}, until the thread has ended, or for the deadline. */
  public void awaitEnd(Deadline deadline) throws InterruptedException {
    var _ = deadline.join(thread); // It is a daemon, and what it leaves undone is told later.
  }
}
