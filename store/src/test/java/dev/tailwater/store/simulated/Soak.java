package dev.tailwater.store.simulated;

/**
 * How long a test goes on: seconds in every build, much longer when asked to by {@code
 * -Dtailwater.soak=true}, which also takes away the time limits of tests; for instance
 *
 * <pre>{@code
 * ./mvnw -pl store/datafile -am verify -Dtailwater.soak=true \
 *     -Dtest='*Crash*,*Fuzz*,*Lincheck*,*Model*,*Salvage*,*ReadPaths*'
 * }</pre>
 */
public final class Soak {
  private Soak() {}

  /** A number of seeds or rounds; {@code -Dtailwater.rounds=N} overrides it. */
  public static int rounds(int usual, int whenSoaking) {
    int rounds = Boolean.getBoolean("tailwater.soak") ? whenSoaking : usual;
    return Integer.getInteger("tailwater.rounds", rounds);
  }

  /** The first of the seeds: the same in every build, but for {@code -Dtailwater.seed=N}. */
  public static long firstSeed() {
    return Long.getLong("tailwater.seed", 1);
  }
}
