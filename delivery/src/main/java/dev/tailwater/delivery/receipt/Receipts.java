package dev.tailwater.delivery.receipt;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.PackId;
import dev.tailwater.archive.record.Acknowledged;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.thread.WorkLoop;
import dev.tailwater.delivery.time.Deadline;
import dev.tailwater.destination.DestinationException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Gathers what one destination has acknowledged, and has it written there in receipts, at most once
 * a minute and at the end. A receipt that cannot be put is tried again with the next one; no byte
 * waits for it. Thread-safe.
 */
public final class Receipts implements AutoCloseable {
  /** How often a receipt is put at most, while the agent runs. */
  static final Duration INTERVAL = Duration.ofMinutes(1);

  /** The most that is remembered; what comes beyond it is in no receipt, which is reported. */
  static final int MAX_WAITING = 100_000;

  private static final String SUBJECT = "receipts";
  private static final String HINT =
      "every byte is delivered and signed; but if somebody removed objects that no receipt names, a"
          + " reader could not tell";

  private static final String STATE_HINT =
      "make room in the state directory, or mend what keeps it from being written to; ";

  private static final String OTHER_AGENT = "another agent of this name";
  private static final String LOOK = "looking for another agent of this name";
  private static final String LOOK_HINT =
      "every byte is delivered; but unless the agent can list what is below AGENT/~receipts/, a copy"
          + " of this machine that delivers under the same name is not noticed while both run";

  private final ReceiptWriter writer;
  private final Problems problems;
  private final LongSupplier nanoClock;

  /** Held while receipts are written, and before the other lock. */
  private final Object writing = new Object();

  @GuardedBy("this")
  private Acknowledged waiting = new Acknowledged();

  /** Whether the last receipt was asked for. */
  @GuardedBy("this")
  private boolean ended;

  @GuardedBy("this")
  private boolean closed;

  private final Thread thread;

  /**
   * Creates it.
   *
   * @param threads makes the thread that puts receipts, which {@link #start} starts
   */
  public Receipts(
      ReceiptWriter writer,
      Problems problems,
      LongSupplier nanoClock,
      Function<Runnable, Thread> threads) {
    this.writer = writer;
    this.problems = problems;
    this.nanoClock = nanoClock;
    this.thread = threads.apply(this::run);
  }

  /** Begins to put receipts. Where there are no more threads, they are put only at the end. */
  public void start() {
    try {
      thread.start();
    } catch (OutOfMemoryError e) {
      problems.report(SUBJECT, "no thread for receipts: " + e, Optional.of(HINT), false);
    }
  }

  /** Notes that a range of a stream, or a gap in its place, is durable. */
  public synchronized void acknowledged(String streamPrefix, ByteRange range) {
    if (hasRoom()) {
      waiting.add(streamPrefix, range);
    }
  }

  /** Notes that a pack is durable. */
  public synchronized void acknowledged(PackId pack) {
    waiting.add(pack); // Few: one entry for each group.
  }

  /**
   * Notes that a pack of directories and links is durable. The last of them is put when all files
   * are safe, and with that behind the last receipt: then another one is written here.
   */
  public void toldTree(PackId pack) {
    boolean isLate;
    synchronized (this) {
      waiting.addTree(pack.group(), pack.last()); // Few, too.
      isLate = ended;
    }
    if (isLate) {
      write(true);
    }
  }

  /** Notes that the record of a stream, as it was signed at this time, is durable. */
  public synchronized void described(String streamPrefix, long atMillis) {
    if (hasRoom()) {
      waiting.add(streamPrefix, atMillis);
    }
  }

  @GuardedBy("this")
  private boolean hasRoom() {
    if (waiting.size() < MAX_WAITING) {
      return true;
    }
    problems.report(
        SUBJECT,
        "more than " + MAX_WAITING + " files were delivered, and no receipt could be put",
        Optional.of(HINT),
        false);
    return false;
  }

  private void run() {
    new WorkLoop(problems, "writing receipts").run(this::writeNext);
  }

  private boolean writeNext() throws InterruptedException {
    if (!awaitNext()) {
      return false;
    }
    writeNow();
    return true;
  }

  /** Writes what was acknowledged, while the agent runs; what fails is reported. */
  void writeNow() {
    write(false);
  }

  /** Waits until an interval is over; false at the end. */
  private synchronized boolean awaitNext() throws InterruptedException {
    Deadline next = Deadline.after(INTERVAL, nanoClock);
    while (!next.isPast() && !closed) {
      next.timedWait(this);
    }
    return !closed;
  }

  /**
   * Writes what was acknowledged, unless an earlier receipt is there. For an agent that is about to
   * say that it ends: whoever finds that and no receipt takes them for removed, and the agent may
   * be killed before it writes the last one.
   */
  public void writeFirst() {
    if (!hasWritten()) {
      write(false);
    }
  }

  /** Returns whether there is a receipt of this agent, as far as is known. */
  public boolean hasWritten() {
    try {
      return writer.hasWritten();
    } catch (IOException e) {
      return false; // Then nobody misses them.
    }
  }

  /**
   * Writes the last receipts of the run, unless nothing was acknowledged. What fails is reported.
   */
  public void writeLast() {
    synchronized (this) {
      ended = true;
    }
    write(true);
  }

  private void write(boolean last) {
    synchronized (writing) {
      Acknowledged taken;
      synchronized (this) {
        taken = waiting;
        waiting = new Acknowledged();
      }
      boolean written = false;
      try {
        writer.write(taken, last);
        written = true;
        problems.resolved(SUBJECT);
      } catch (DestinationException e) {
        problems.report(SUBJECT, String.valueOf(e.getMessage()), Optional.of(HINT), false);
      } catch (IOException e) {
        String why = "no receipt is noted in the state: " + e.getMessage();
        problems.report(SUBJECT, why, Optional.of(STATE_HINT + HINT), false);
      } catch (RuntimeException | Error e) {
        problems.report(SUBJECT, String.valueOf(e), Optional.of(HINT), false);
      } finally {
        if (!written) {
          giveBack(taken);
        }
      }
      if (written && !last) {
        lookForOthers();
      }
    }
  }

  private void lookForOthers() {
    try {
      if (writer.otherRun().isPresent()) {
        reportOther();
      }
      problems.resolved(LOOK);
    } catch (DestinationException e) {
      reportUnseen(String.valueOf(e.getMessage()));
    } catch (RuntimeException | Error e) {
      reportUnseen(String.valueOf(e));
    }
  }

  private void reportUnseen(String why) {
    problems.report(LOOK, LOOK + ": " + why, Optional.of(LOOK_HINT), false);
  }

  private void reportOther() {
    problems.report(
        OTHER_AGENT,
        "another agent of this name delivers to this archive at the same time: what the two deliver"
            + " of files with the same identity contradicts each other",
        Optional.of(
            "stop one of them; a copy of a machine needs an agent name (--agent) and a state"
                + " directory of its own; then 'tailwater verify' names what is contradicted"),
        true);
  }

  private synchronized void giveBack(Acknowledged taken) {
    taken.addAll(waiting);
    waiting = taken;
  }

  /** Ends the thread; returns at once. What waits stays unwritten. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
  }
}
