package dev.tailwater.archive;

import java.util.Random;

/**
 * Runs a check with many seeded inputs; a failure names the seed, which can be given again. With
 * {@code -Dtailwater.rounds} there are so many times as many inputs.
 */
public final class Property {
  private Property() {}

  /** One run of a property. */
  public interface Check {
    void run(Random random) throws Exception;
  }

  public static void holds(int runs, Check check) {
    long first = Long.getLong("tailwater.seed", System.nanoTime());
    long end = first + (long) runs * Integer.getInteger("tailwater.rounds", 1);
    for (long seed = first; seed < end; seed++) {
      try {
        check.run(new Random(seed));
      } catch (Exception | AssertionError failure) {
        throw new AssertionError("fails with -Dtailwater.seed=" + seed, failure);
      }
    }
  }
}
