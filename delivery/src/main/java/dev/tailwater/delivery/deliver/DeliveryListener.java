package dev.tailwater.delivery.deliver;

import dev.tailwater.delivery.checkpoint.StreamProgress;

/** Hears what became of deliveries; called on delivery threads. */
public interface DeliveryListener {
  /**
   * The segment is durable at the destination and the checkpoint is saved.
   *
   * @param own whether the object is surely this agent's, and may be replaced by a longer one
   */
  void delivered(Delivery delivery, boolean own);

  /** The segment was given up; its bytes stay at risk. */
  void undelivered(Delivery delivery);

  /** The archive says now what it should of an ended stream, and all its bytes are durable. */
  void completed(StreamProgress stream);
}
