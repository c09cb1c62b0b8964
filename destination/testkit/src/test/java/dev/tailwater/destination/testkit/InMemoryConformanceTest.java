package dev.tailwater.destination.testkit;

import dev.tailwater.destination.Destination;

/**
 * The conformance tests for a destination in the heap, also through wrappers that change nothing.
 */
class InMemoryConformanceTest extends DestinationConformance {
  private final InMemoryDestination place = InMemoryDestination.create();

  @Override
  protected Destination open() {
    return FaultyDestination.wrap(place, DestinationFaultPlan.none());
  }
}
