package dev.tailwater.store.simulated;

/**
 * How long a test goes on: seconds in every build, much longer when asked to by {@code
 * -Dtailwater.soak=true}, which also takes away the time limits of tests; for instance
 *
 * <pre>{@code
 * ./mvnw -pl store -am verify -Dtailwater.soak=true \
 *     -Dtest='*Crash*,*Fuzz*,*Lincheck*,*Model*,*Salvage*,*ReadPaths*'
 * }</pre>
 */
public final class Soak {
  private Soak() {}

  /** A number of seeds or rounds. */
  public static int rounds(int usual, int whenSoaking) {
    return Boolean.getBoolean("tailwater.soak") ? whenSoaking : usual;
  }
}
