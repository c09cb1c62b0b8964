package dev.tailwater.delivery;

import dev.tailwater.delivery.hang.HangWatch;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.risk.AtRiskBound;
import dev.tailwater.delivery.risk.Bottleneck;
import dev.tailwater.delivery.risk.BoundWatch;
import dev.tailwater.delivery.risk.LaneLoad;
import dev.tailwater.delivery.thread.WorkLoop;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Measures several times a second what is at risk, where there is a bound on it. */
final class RiskWatch implements AutoCloseable {
  private static final long USUAL_MILLIS = 250;
  private static final long LEAST_MILLIS = 50;
  private static final long MOST_MILLIS = 500;
  private static final int LOOKS_PER_AGE = 10;
  private static final String WATCHING = "watching what is at risk";

  private final List<Lane> required;
  private final BoundWatch bound;
  private final long intervalMillis;
  private final HangWatch hangs;
  private final AtRiskBound allowed;
  private final LongSupplier nanoClock;
  private final WorkLoop loop;
  private final Map<Lane, LaneLoad> before = new HashMap<>();
  private final Thread thread =
      Thread.ofPlatform().name("at-risk").daemon(true).unstarted(this::run);

  private RiskWatch(
      AtRiskBound bound,
      List<Lane> required,
      HangWatch hangs,
      Problems problems,
      LongSupplier nanoClock) {
    this.required = required;
    this.hangs = hangs;
    this.allowed = bound;
    this.bound = new BoundWatch(bound, problems);
    this.loop = new WorkLoop(problems, WATCHING);
    this.nanoClock = nanoClock;
    this.intervalMillis =
        bound
            .age()
            .map(age -> Math.clamp(age.toMillis() / LOOKS_PER_AGE, LEAST_MILLIS, MOST_MILLIS))
            .orElse(USUAL_MILLIS);
    required.forEach(lane -> before.put(lane, lane.load()));
  }

  /** Creates a watch; empty when there is no bound. */
  static Optional<RiskWatch> of(
      AtRiskBound bound,
      List<Lane> lanes,
      HangWatch hangs,
      Problems problems,
      LongSupplier nanoClock) {
    if (bound.isNone()) {
      return Optional.empty();
    }
    List<Lane> required = lanes.stream().filter(Lane::isRequired).toList();
    return Optional.of(new RiskWatch(bound, required, hangs, problems, nanoClock));
  }

  void start() {
    thread.start();
  }

  private void run() {
    loop.run(
        () -> {
          Thread.sleep(Duration.ofMillis(intervalMillis));
          look();
          return true;
        });
  }

  /** Looks at the worst destination: what it lacks is at risk, whatever others have. */
  private void look() {
    Map<Lane, LaneLoad> now = new HashMap<>();
    required.forEach(lane -> now.put(lane, lane.load()));
    Map.Entry<Lane, LaneLoad> worst =
        now.entrySet().stream()
            .max(Comparator.comparingLong(entry -> entry.getValue().backlog().atRiskBytes()))
            .orElseThrow();
    long oldestMillis =
        now.values().stream().mapToLong(load -> load.backlog().oldestMillis()).max().orElse(0);
    LaneLoad earlier = before.getOrDefault(worst.getKey(), worst.getValue());
    before.putAll(now);
    hangs.look();
    if (isUnknown()) {
      bound.unknown(nanoClock.getAsLong());
      return;
    }
    bound.look(
        nanoClock.getAsLong(),
        worst.getValue().backlog().atRiskBytes(),
        oldestMillis,
        Bottleneck.between(earlier, worst.getValue()));
  }

  /** Returns whether the sources were not looked at for longer than a byte may be at risk. */
  private boolean isUnknown() {
    return hangs.unseenMillis() > 0
        || allowed.age().filter(age -> hangs.lookMillis() > age.toMillis()).isPresent();
  }

  BoundWatch.Report report() {
    return bound.report();
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
