package dev.tailwater.destination.testkit;

import dev.tailwater.destination.Destination;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;

/**
 * Every sentence of the contract of {@link Destination} as a test, for any kind of destination: a
 * subclass says how to open it, and JUnit runs the rest.
 *
 * <p>It writes some 40 MB, in a few hundred objects, below the place that {@link #open} gives, and
 * leaves them there.
 */
public abstract class DestinationConformance {
  private final List<Destination> opened = new ArrayList<>();

  /**
   * Opens the place of the running test to write. The first time in a test it is empty; further
   * calls in the same test, also after a close, open the same place again. JUnit makes a new object
   * of the subclass for each test.
   */
  protected abstract Destination open() throws IOException;

  /** What the server behind does wrong; nothing unless overridden. */
  protected Set<Deviation> deviations() {
    return Set.of();
  }

  /** Opened once more; closed at the end of the test. */
  Destination place() throws IOException {
    Destination place = open();
    opened.add(place);
    return place;
  }

  @AfterEach
  final void closeAll() throws IOException {
    for (Destination place : opened) {
      place.close();
    }
  }

  /** {@link Destination#putSegment}. */
  @Nested
  class Putting extends PutConformance {
    Putting() {
      super(DestinationConformance.this::place, deviations());
    }
  }

  /** {@link Destination#read}. */
  @Nested
  class Reading extends ReadConformance {
    Reading() {
      super(DestinationConformance.this::place);
    }
  }

  /** {@link Destination#list}. */
  @Nested
  class Listing extends ListConformance {
    Listing() {
      super(DestinationConformance.this::place, deviations());
    }
  }

  /** {@link Destination#putObject} and {@link Destination#delete}. */
  @Nested
  class Changing extends ChangeConformance {
    Changing() {
      super(DestinationConformance.this::place);
    }
  }

  /** Keys, and what holds for every method. */
  @Nested
  class Naming extends KeyConformance {
    Naming() {
      super(DestinationConformance.this::place);
    }
  }
}
