package dev.tailwater.cli.probe;

import dev.tailwater.destination.Capabilities;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.contract.Contract;
import dev.tailwater.destination.contract.Permission;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Runs all steps of a probe, one after the other. {@link Scratch} cleans up. */
public final class Probe {
  private static final int MEASUREMENTS = 5;

  private final Scratch scratch;
  private final ProbePlan plan;
  private final Progress progress;
  private final List<Finding> findings = new ArrayList<>();
  private final List<Timing> timings = new ArrayList<>();
  private final List<Throughput> throughputs = new ArrayList<>();
  private int done;

  /** A listener for the progress. */
  @FunctionalInterface
  public interface Progress {
    void at(long done, long of);
  }

  public Probe(Scratch scratch, ProbePlan plan, Progress progress) {
    this.scratch = scratch;
    this.plan = plan;
    this.progress = progress;
  }

  /**
   * Runs all steps; to be called once.
   *
   * @throws StoppedException somebody stopped the scratch meanwhile
   * @throws DestinationException a place of its own could not be opened
   */
  public ProbeReport run() throws InterruptedException, DestinationException {
    PermissionStep permissions;
    Capabilities capabilities;
    try (Destination place = scratch.open("permissions")) {
      capabilities = place.capabilities();
      permissions = new PermissionStep(place, this::step);
      permissions.run();
    }
    findings.addAll(permissions.findings());
    if (permissions.reached()) {
      Set<Permission> granted = permissions.granted();
      findings.addAll(new PromiseStep(scratch, plan.quick(), granted, this::step).run());
      if (granted.contains(Permission.CREATE)) {
        measure(granted);
      }
    }
    return new ProbeReport(
        scratch.target().uri(),
        permissions.reached(),
        false,
        findings,
        timings,
        throughputs,
        Advice.of(capabilities, timings, throughputs));
  }

  /**
   * Tests only that objects can be created and neither replaced nor removed; to be called once.
   *
   * @throws StoppedException somebody stopped the scratch meanwhile
   * @throws DestinationException the place could not be opened
   */
  public ProbeReport runAppendOnly() throws InterruptedException, DestinationException {
    AppendOnlyStep appendOnly;
    try (Destination place = scratch.open("append-only")) {
      appendOnly = new AppendOnlyStep(place, () -> progress.at(++done, AppendOnlyStep.TRIED));
      appendOnly.run();
    }
    return new ProbeReport(
        scratch.target().uri(),
        appendOnly.reached(),
        true,
        appendOnly.findings(),
        List.of(),
        List.of(),
        List.of());
  }

  private void measure(Set<Permission> granted) throws InterruptedException, DestinationException {
    try (Destination place = scratch.open("clock")) {
      findings.add(
          granted.contains(Permission.LIST)
              ? new ClockStep(place, plan.clock()).run()
              : Finding.skipped(Step.CLOCK, "clock", "needs the permission to list"));
    }
    step();
    latency(granted);
    throughput(granted);
  }

  private void latency(Set<Permission> granted) throws InterruptedException, DestinationException {
    if (!granted.contains(Permission.DELETE)) {
      String why = "would leave much behind that cannot be deleted";
      findings.add(Finding.skipped(Step.LATENCY, "put of 1 KiB", why));
      step();
      step();
      return;
    }
    try (Destination place = scratch.open("latency")) {
      LatencyStep latency = new LatencyStep(place, plan);
      latency.puts();
      step();
      if (granted.contains(Permission.READ)) {
        latency.reads();
      }
      findings.addAll(latency.findings());
      timings.addAll(latency.timings());
    }
    scratch.clean("latency");
    step();
  }

  private void throughput(Set<Permission> granted)
      throws InterruptedException, DestinationException {
    if (plan.throughputBytes() == 0 || !granted.contains(Permission.DELETE)) {
      String why =
          plan.throughputBytes() == 0
              ? "left out by --throughput 0B"
              : "would leave much behind that cannot be deleted";
      findings.add(Finding.skipped(Step.THROUGHPUT, "puts of 8 MiB", why));
      step();
      step();
      return;
    }
    try (Destination place = scratch.open("throughput")) {
      ThroughputStep throughput = new ThroughputStep(place, plan);
      throughput.run(1);
      scratch.clean("throughput");
      step();
      throughput.run(ThroughputStep.SEVERAL);
      findings.addAll(throughput.findings());
      throughputs.addAll(throughput.results());
    }
    scratch.clean("throughput");
    step();
  }

  private void step() {
    done++;
    progress.at(done, PermissionStep.TRIED + Contract.checks().size() + MEASUREMENTS);
  }
}
