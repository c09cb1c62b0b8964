package dev.tailwater.destination.testkit;

import dev.tailwater.destination.Destination;

/** The heap keeps the contract; also through wrappers that do nothing. */
class InMemoryConformanceTest extends DestinationConformance {
  private final InMemoryDestination place = InMemoryDestination.create();

  @Override
  protected Destination open() {
    return FaultyDestination.wrap(place, DestinationFaultPlan.none());
  }
}
