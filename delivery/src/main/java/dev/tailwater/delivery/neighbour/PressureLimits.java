package dev.tailwater.delivery.neighbour;

/**
 * From which part of the time on others are said to wait for a resource; more than 1: never.
 *
 * @param cpu some thread, not of this process, waited for a processor
 * @param io some thread waited for a disk
 * @param memory some thread waited for memory that was taken away to be read again
 */
public record PressureLimits(double cpu, double io, double memory) {
  /** What is never reached. */
  public static final double NEVER = 2;

  /** Waiting now and then is no need; memory that comes and goes is one soon. */
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
