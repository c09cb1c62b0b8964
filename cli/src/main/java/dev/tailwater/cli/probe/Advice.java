package dev.tailwater.cli.probe;

import dev.tailwater.cli.config.ShipKey;
import dev.tailwater.cli.value.ByteSizes;
import dev.tailwater.cli.value.Durations;
import dev.tailwater.destination.Capabilities;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Advice on settings of {@code ship} that follows from the measurements. */
final class Advice {
  /** The factor from which several puts at a time count as faster. */
  private static final double GAIN = 1.3;

  private Advice() {}

  /** Returns a sentence for each advice; none about what was not measured. */
  static List<String> of(
      Capabilities capabilities, List<Timing> timings, List<Throughput> throughputs) {
    List<String> advice = new ArrayList<>();
    timings.stream()
        .filter(timing -> timing.what().startsWith("put"))
        .findFirst()
        .ifPresent(puts -> advice.add(maxAge(capabilities, puts)));
    Optional<Throughput> one = throughputs.stream().filter(t -> t.parallel() == 1).findFirst();
    Optional<Throughput> several = throughputs.stream().filter(t -> t.parallel() > 1).findFirst();
    if (one.isPresent() && several.isPresent()) {
      advice.add(parallel(one.get(), several.get()));
    }
    several.ifPresent(throughput -> advice.add(drain(throughput)));
    return advice;
  }

  private static String maxAge(Capabilities capabilities, Timing puts) {
    long p50Millis = puts.nanosAt(50) / 1_000_000;
    return "max_age: a byte waits up to "
        + Durations.format(Duration.ofMillis(capabilities.recommendedMaxAgeMillis()))
        + ", the default here, for its segment; the put adds "
        + Words.nanos(puts.nanosAt(50))
        + ", in one case of a hundred "
        + Words.nanos(puts.nanosAt(99))
        + ". Less than "
        + Durations.format(Duration.ofMillis(Math.max(10, 2 * p50Millis)))
        + " would gain little";
  }

  private static String parallel(Throughput one, Throughput several) {
    double gain = several.bytesPerSecond() / Math.max(1, one.bytesPerSecond());
    String measured =
        "parallel deliveries: "
            + several.parallel()
            + String.format(Locale.ROOT, " at a time carry %.1f times as much as one; ", gain);
    return measured
        + (gain >= GAIN
            ? "ship has up to " + ThroughputStep.SEVERAL + " under way by itself"
            : "the network or the storage is full with one");
  }

  private static String drain(Throughput several) {
    String standard = ShipKey.DRAIN_DEADLINE.standard().orElseThrow();
    double bytes = several.bytesPerSecond() * Durations.parse(standard).toMillis() / 1000.0;
    return "drain_deadline: in "
        + standard
        + ", the default, about "
        + ByteSizes.forPeople(Math.round(bytes))
        + " of sealed bytes get away before the machine is gone";
  }
}
