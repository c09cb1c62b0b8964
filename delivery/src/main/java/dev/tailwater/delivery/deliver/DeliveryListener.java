package dev.tailwater.delivery.deliver;

import dev.tailwater.delivery.checkpoint.StreamProgress;

/** Hears what became of deliveries; called on delivery threads. */
public interface DeliveryListener {
  /** The segment is durable at the destination and the checkpoint is saved. */
  void delivered(Delivery delivery);

  /** The segment was given up; its bytes stay at risk. */
  void undelivered(Delivery delivery);

  /** The archive says now what it should of an ended stream, and all its bytes are durable. */
  void completed(StreamProgress stream);
}
