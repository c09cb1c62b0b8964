package dev.tailwater.delivery.worker;

import dev.tailwater.delivery.blocks.SharedBlock;
import dev.tailwater.delivery.due.DueQueue;

/** What a worker seals with. Belongs to one worker. */
public interface Cutter extends AutoCloseable {
  /** Cuts what the worker has claimed, if there is anything to cut. */
  void cut(DueQueue.Claim claim) throws InterruptedException;

  /** Compresses a block of another worker's segment. */
  void help(SharedBlock block);

  @Override
  void close();
}
