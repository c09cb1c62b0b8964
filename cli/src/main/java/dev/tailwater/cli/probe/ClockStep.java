package dev.tailwater.cli.probe;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.Entry;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Compares the destination's clock with this machine's: an object got its time between the moment
 * before its put and the moment after it, so each gives bounds for the difference, and the tightest
 * of several count.
 */
final class ClockStep {
  private static final String NAME = "clock";
  private static final int SAMPLES = 5;
  private static final long MILLIS_PER_SECOND = 1000;

  /** Times of files lag behind by up to a tick of the kernel. */
  private static final long COARSE_MILLIS = 100;

  private static final long HARMLESS_MILLIS = 5_000;
  private static final long TOO_MUCH_MILLIS = 5 * 60_000;
  private static final String MEANING =
      "times in ls are the destination's; S3 refuses requests that are signed by a clock more than"
          + " 15 minutes off, and a directory's leftovers are taken for old or new by it";
  private static final String REMEDY =
      "Synchronize this machine's clock (timedatectl), or the destination's.";

  private final Destination place;
  private final InstantSource clock;
  private int puts;

  ClockStep(Destination place, InstantSource clock) {
    this.place = place;
    this.clock = clock;
  }

  /** When an object was put by this clock, and what the destination says. */
  private record Sample(long beforeMillis, long afterMillis, long saidMillis) {}

  /**
   * By how much the destination's clock is ahead, at least and at most.
   *
   * @param leastMillis less than 0 where it may be behind
   */
  record Skew(long leastMillis, long mostMillis) {
    /** How far it is off for certain. */
    long certainMillis() {
      return leastMillis > 0 ? leastMillis : Math.max(0, -mostMillis);
    }

    /** How far it is off at most. */
    long possibleMillis() {
      return Math.max(Math.abs(leastMillis), Math.abs(mostMillis));
    }
  }

  Finding run() throws InterruptedException {
    Sample[] samples = new Sample[SAMPLES];
    try {
      for (int i = 0; i < SAMPLES; i++) {
        Optional<Sample> sample = ProbeRetry.of(this::sample);
        if (sample.isEmpty()) {
          return Finding.of(
              Step.CLOCK, NAME, Verdict.NOTE, "not known: the destination does not tell", "", "");
        }
        samples[i] = sample.get();
      }
    } catch (InterruptedException | StoppedException e) {
      throw e;
    } catch (DestinationException e) {
      return Finding.of(Step.CLOCK, NAME, Verdict.UNKNOWN, e.getMessage(), MEANING, e.hint());
    } catch (Exception e) {
      return Finding.of(Step.CLOCK, NAME, Verdict.UNKNOWN, e.toString(), MEANING, "");
    }
    return judge(skew(List.of(samples)));
  }

  private Optional<Sample> sample() throws DestinationException {
    // Of its own also when it is repeated: the object must not be that of an earlier put.
    String key = "clock-" + ++puts;
    long before = clock.millis();
    place.putSegment(key, ByteBuffer.allocate(1));
    long after = clock.millis();
    OptionalLong said =
        place.list(key, Optional.empty(), 1).entries().stream()
            .mapToLong(Entry::modifiedMillis)
            .filter(millis -> millis > 0)
            .findFirst();
    return said.isPresent()
        ? Optional.of(new Sample(before, after, said.getAsLong()))
        : Optional.empty();
  }

  private static Skew skew(List<Sample> samples) {
    boolean wholeSeconds =
        samples.stream().allMatch(sample -> sample.saidMillis % MILLIS_PER_SECOND == 0);
    long precision = wholeSeconds ? MILLIS_PER_SECOND : 1;
    long least = samples.stream().mapToLong(s -> s.saidMillis - s.afterMillis).max().orElseThrow();
    long most =
        samples.stream()
            .mapToLong(s -> s.saidMillis + precision - s.beforeMillis)
            .min()
            .orElseThrow();
    // A clock that was set meanwhile, or a coarse one, gives bounds that contradict each other.
    return new Skew(Math.min(least, most), Math.max(least, most));
  }

  private static Finding judge(Skew skew) {
    if (skew.certainMillis() < COARSE_MILLIS) {
      String found = "agrees with this machine's within " + Words.millis(skew.possibleMillis());
      return Finding.ok(Step.CLOCK, NAME, found);
    }
    String found =
        "the destination's is "
            + Words.millis(skew.certainMillis())
            + (skew.leastMillis > 0 ? " ahead of" : " behind")
            + " this machine's";
    if (skew.certainMillis() <= HARMLESS_MILLIS) {
      return Finding.ok(Step.CLOCK, NAME, found);
    }
    Verdict verdict = skew.certainMillis() < TOO_MUCH_MILLIS ? Verdict.NOTE : Verdict.WRONG;
    return Finding.of(Step.CLOCK, NAME, verdict, found, MEANING, REMEDY);
  }
}
