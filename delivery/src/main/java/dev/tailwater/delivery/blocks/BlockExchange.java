package dev.tailwater.delivery.blocks;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.delivery.blocks.SharedBlock.State;
import java.util.ArrayDeque;
import java.util.Optional;

/**
 * The blocks that the workers of one destination compress for each other. A worker that reads a
 * segment posts blocks while others have nothing to seal. What nobody has begun to compress when it
 * is needed, it takes back. So one long file keeps several processors busy, and a worker that comes
 * late holds up nobody. Thread-safe.
 */
public final class BlockExchange {
  /**
   * The most blocks of one destination, about 2 MiB each, whatever the number of workers. So at
   * most eight of them compress blocks of one file.
   */
  private static final int MOST_BLOCKS = 8;

  private final int mostBlocks;
  private final Runnable wake;

  @GuardedBy("this")
  private final ArrayDeque<SharedBlock> posted = new ArrayDeque<>();

  @GuardedBy("this")
  private final ArrayDeque<SharedBlock> free = new ArrayDeque<>();

  @GuardedBy("this")
  private int made;

  @GuardedBy("this")
  private int helpers;

  /**
   * Creates an exchange; without a second worker it never holds a block.
   *
   * @param workers the most workers that there will be
   * @param wake makes helpers ask {@link #isWorkPosted} again
   */
  public BlockExchange(int workers, Runnable wake) {
    // While the worker that reads compresses a block itself, its helper may finish two.
    this.mostBlocks = workers < 2 ? 0 : Math.min(MOST_BLOCKS, 2 * workers + 1);
    this.wake = wake;
  }

  /** Notes that a worker has no file to read, and takes what is posted. */
  public synchronized void beginHelping() {
    helpers++;
  }

  /** Notes that a worker has found a file to read, or ends. */
  public synchronized void endHelping() {
    helpers--;
  }

  /** Returns whether a block waits for a worker. */
  public synchronized boolean isWorkPosted() {
    return !posted.isEmpty();
  }

  /** Takes the block that was posted first; the caller then calls {@link #giveBack}. */
  public synchronized Optional<SharedBlock> take() {
    Optional<SharedBlock> block = Optional.ofNullable(posted.poll());
    block.ifPresent(taken -> taken.state = State.TAKEN);
    return block;
  }

  /** Gives a taken block back, compressed or not. */
  public synchronized void giveBack(SharedBlock block) {
    if (block.state == State.DROPPED) {
      addFree(block);
    }
    block.state = State.OWNED;
    notifyAll();
  }

  /** Returns whether other workers have time to compress blocks. */
  public synchronized boolean hasHelpers() {
    return helpers > 0;
  }

  /** Returns a block to fill and {@linkplain #post post}; empty when all are in use. */
  public synchronized Optional<SharedBlock> tryBorrow() {
    if (free.isEmpty() && made < mostBlocks) {
      made++;
      return Optional.of(new SharedBlock());
    }
    return Optional.ofNullable(free.poll());
  }

  /** Lets other workers compress a filled block. */
  public void post(SharedBlock block) {
    synchronized (this) {
      block.state = State.POSTED;
      posted.add(block);
    }
    wake.run();
  }

  /** Takes a block back that nobody has begun to compress; false when another worker has it. */
  public synchronized boolean tryTakeBack(SharedBlock block) {
    if (block.state != State.POSTED) {
      return false;
    }
    posted.remove(block);
    block.state = State.OWNED;
    return true;
  }

  /** Returns whether the block is with the worker that has posted it. */
  public synchronized boolean isBack(SharedBlock block) {
    return block.state == State.OWNED;
  }

  /** Waits until the worker that has taken the block gives it back. */
  public synchronized void awaitBack(SharedBlock block) throws InterruptedException {
    while (block.state != State.OWNED) {
      wait();
    }
  }

  /** Ends the use of a borrowed block, whoever has it. */
  public synchronized void release(SharedBlock block) {
    switch (block.state) {
      case POSTED -> {
        posted.remove(block);
        block.state = State.OWNED;
        addFree(block);
      }
      case OWNED -> addFree(block);
      case TAKEN, DROPPED -> block.state = State.DROPPED; // giveBack() frees it.
    }
  }

  @GuardedBy("this")
  private void addFree(SharedBlock block) {
    free.push(block);
  }
}
