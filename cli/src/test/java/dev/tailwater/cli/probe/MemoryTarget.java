package dev.tailwater.cli.probe;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.testkit.InMemoryDestination;
import dev.tailwater.destination.testkit.MisbehavingDestination;
import dev.tailwater.destination.testkit.Misbehavior;
import java.net.URI;
import java.util.function.UnaryOperator;

/** A target in memory, of which every place is wrapped in the same way. */
record MemoryTarget(InMemoryDestination real, UnaryOperator<Destination> wrapping)
    implements ProbeTarget {
  static MemoryTarget doing(Misbehavior... misbehaviors) {
    return new MemoryTarget(
        InMemoryDestination.create(), place -> MisbehavingDestination.wrap(place, misbehaviors));
  }

  @Override
  public URI uri() {
    return real.uri();
  }

  @Override
  public Destination open() {
    return wrapping.apply(real);
  }

  @Override
  public Destination open(String folder) {
    return wrapping.apply(real.folder(folder));
  }
}
