package dev.tailwater.delivery.deliver;

import dev.tailwater.delivery.pack.PackedDelivery;
import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.delivery.problem.ProblemListener;
import dev.tailwater.delivery.stream.StreamProgress;

/** A listener that does nothing. */
public class NobodyListens implements DeliveryListener, ProblemListener {
  @Override
  public void delivered(Delivery delivery, boolean own) {}

  @Override
  public void undelivered(Delivery delivery) {}

  @Override
  public void delivered(PackedDelivery delivery) {}

  @Override
  public void undelivered(PackedDelivery delivery) {}

  @Override
  public void waiting(StreamProgress stream) {}

  @Override
  public void completed(StreamProgress stream) {}

  @Override
  public void began(Problem problem) {}

  @Override
  public void ended(Problem problem) {}
}
