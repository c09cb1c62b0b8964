package dev.tailwater.delivery.deliver;

import dev.tailwater.delivery.pack.PackedDelivery;
import dev.tailwater.delivery.stream.StreamProgress;

/** Is told what became of deliveries, on delivery threads. */
public interface DeliveryListener {
  /**
   * Called when the segment is durable at the destination and the checkpoint is saved.
   *
   * @param own whether the object is certainly this agent's, and may be replaced by a longer one
   */
  void delivered(Delivery delivery, boolean own);

  /** Called when the segment is given up; its bytes stay at risk. */
  void undelivered(Delivery delivery);

  /** Called when the pack is durable at the destination and the checkpoints are saved. */
  void delivered(PackedDelivery delivery);

  /** Called when the pack is given up; its bytes stay at risk. */
  void undelivered(PackedDelivery delivery);

  /** Called when bytes that were replaced in a stream are to be read and delivered once more. */
  void waiting(StreamProgress stream);

  /** Called when all bytes of an ended stream are durable, and the archive has its record. */
  void completed(StreamProgress stream);
}
