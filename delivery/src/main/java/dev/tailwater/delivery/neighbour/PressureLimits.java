package dev.tailwater.delivery.neighbour;

/**
 * The part of the time from which on others are considered to wait for a resource; more than 1:
 * never.
 *
 * @param cpu in which some thread of another process waited for a processor
 * @param io in which some thread waited for a disk
 * @param memory in which some thread waited for memory that had been reclaimed
 */
public record PressureLimits(double cpu, double io, double memory) {
  /** A limit that is never reached. */
  public static final double NEVER = 2;

  /** Occasional waiting is normal, but memory that is reclaimed and read again soon hurts. */
  public static final PressureLimits STANDARD = new PressureLimits(0.2, 0.3, 0.1);

  public PressureLimits {
    if (!(cpu > 0 && io > 0 && memory > 0)) {
      throw new IllegalArgumentException("limits of pressure must be more than 0");
    }
  }

  double of(Resource resource) {
    return switch (resource) {
      case CPU -> cpu;
      case IO -> io;
      case MEMORY -> memory;
    };
  }
}
