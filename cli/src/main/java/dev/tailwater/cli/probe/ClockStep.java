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
 * The comparison of the destination's clock with this machine's. An object gets its time between
 * the begin and the end of its put, so each put bounds the difference; the tightest bounds of
 * several count.
 */
final class ClockStep {
  private static final String NAME = "clock";
  private static final int SAMPLES = 5;
  private static final long MILLIS_PER_SECOND = 1000;

  /** Times of files lag by up to one tick of the kernel. */
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

  /** The times of a put: by this machine's clock, and as the destination reports it. */
  private record Sample(long beforeMillis, long afterMillis, long saidMillis) {}

  /**
   * The bounds on how much the destination's clock is ahead.
   *
   * @param leastMillis less than 0 where it may be behind
   */
  record Skew(long leastMillis, long mostMillis) {
    /** How far the clock is off at least. */
    long certainMillis() {
      return leastMillis > 0 ? leastMillis : Math.max(0, -mostMillis);
    }

    /** How far the clock is off at most. */
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
              Step.CLOCK,
              NAME,
              Verdict.NOTE,
              "unknown: the destination does not report the time",
              "",
              "");
        }
        samples[i] = sample.get();
      }
    } catch (InterruptedException | StoppedException e) {
      throw e;
    } catch (DestinationException e) {
      return Finding.of(Step.CLOCK, NAME, Verdict.UNKNOWN, e.getMessage(), MEANING, e.finalHint());
    } catch (Exception e) {
      return Finding.of(Step.CLOCK, NAME, Verdict.UNKNOWN, Words.failure(e), MEANING, "");
    }
    return judge(skew(List.of(samples)));
  }

  private Optional<Sample> sample() throws DestinationException {
    // A new key for each attempt: the object must not be that of an earlier put.
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
    // If the clock is coarse or was set meanwhile, the bounds contradict each other.
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
