package dev.tailwater.cli.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.testkit.DestinationFault;
import dev.tailwater.destination.testkit.DestinationFaultPlan;
import dev.tailwater.destination.testkit.FaultyDestination;
import dev.tailwater.destination.testkit.InMemoryDestination;
import dev.tailwater.destination.testkit.Misbehavior;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whole probes of destinations in memory, good ones and bad ones. */
class ProbeTest {
  private static final ProbePlan PLAN =
      new ProbePlan(false, 16L << 20, Duration.ofSeconds(2), 20, InstantSource.system());
  private static final ProbePlan QUICK =
      new ProbePlan(true, 0, Duration.ofSeconds(1), 5, InstantSource.system());

  private volatile Optional<Scratch> stoppable = Optional.empty();

  /** What came of a probe, and what was left where it had been. */
  private record Outcome(ProbeReport report, Leftovers remains, Set<String> there, String text) {
    Finding finding(String name) {
      return report.findings().stream()
          .filter(finding -> finding.name().equals(name))
          .findFirst()
          .orElseThrow(() -> new AssertionError(name + " is not among " + names()));
    }

    private List<String> names() {
      return report.findings().stream().map(Finding::name).toList();
    }

    Set<String> with(Verdict verdict) {
      return report.findings().stream()
          .filter(finding -> finding.verdict() == verdict)
          .map(Finding::name)
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private static Outcome probe(MemoryTarget target, ProbePlan plan) throws Exception {
    Scratch scratch = Scratch.open(target, "here/tailwater-probe-1");
    ProbeReport report = new Probe(scratch, plan, (done, of) -> assertTrue(done <= of)).run();
    Leftovers remains = scratch.cleanUp();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new ProbePrinter(report, scratch, remains)
        .print(new PrintStream(out, true, StandardCharsets.UTF_8));
    return new Outcome(
        report, remains, target.real().snapshot().keySet(), out.toString(StandardCharsets.UTF_8));
  }

  private static Outcome probe(Misbehavior... misbehaviors) throws Exception {
    return probe(MemoryTarget.doing(misbehaviors), QUICK);
  }

  @Test
  void findsAGoodDestinationFitAndLeavesNothing() throws Exception {
    MemoryTarget target = MemoryTarget.doing();
    target.real().putObject("somebody's", new byte[1]);
    List<Long> progress = new ArrayList<>();
    Scratch scratch = Scratch.open(target, "probe");
    ProbeReport report =
        new Probe(
                scratch,
                PLAN,
                (done, of) -> {
                  progress.add(done);
                  progress.add(of);
                })
            .run();
    assertEquals(Fitness.FIT, report.fitness(), () -> report.findings().toString());
    for (Finding finding : report.findings()) {
      // How long it takes depends on this machine.
      boolean timed = finding.step() == Step.LATENCY || finding.step() == Step.THROUGHPUT;
      assertTrue(timed || finding.verdict() == Verdict.OK, finding.toString());
    }
    assertEquals(2, report.timings().size());
    assertEquals(20, report.timings().getFirst().latencies().getTotalCount());
    assertEquals(2, report.throughputs().size());
    assertEquals(3, report.advice().size(), () -> report.advice().toString());
    assertEquals(Leftovers.NONE, scratch.cleanUp());
    assertEquals(Set.of("somebody's"), target.real().snapshot().keySet());
    assertTrue(scratch.puts() > 300 && scratch.putBytes() > 50 << 20, "it hardly tried");
    assertEquals(progress.getLast(), progress.get(progress.size() - 2), "not told to the end");
  }

  @Test
  void findsADestinationUnfitThatIgnoresCreateOnly() throws Exception {
    Outcome outcome = probe(Misbehavior.REPLACES_SEGMENTS);
    assertEquals(Fitness.UNFIT, outcome.report.fitness());
    assertEquals(1, outcome.report.fitness().exitCode().number());
    assertEquals(Verdict.WRONG, outcome.finding("keep what is there").verdict());
    assertTrue(
        outcome
            .with(Verdict.WRONG)
            .contains("put: leaves an existing object untouched, whatever it contains"));
    assertTrue(outcome.text.contains("can replace a good one"), outcome.text);
    assertTrue(outcome.text.endsWith("memory:/ is not fit for an archive: see above\n"));
    assertEquals(Set.of(), outcome.there);
  }

  private static ProbeReport appendOnly(DestinationFaultPlan plan) throws Exception {
    MemoryTarget target =
        new MemoryTarget(
            InMemoryDestination.create(), place -> FaultyDestination.wrap(place, plan));
    Scratch scratch = Scratch.open(target, "probe");
    ProbeReport report =
        new Probe(scratch, QUICK, (done, of) -> assertTrue(done <= of)).runAppendOnly();
    assertEquals(5, report.findings().size());
    assertTrue(scratch.puts() <= 3, "it is tried on one object");
    return report;
  }

  private static DestinationFaultPlan refusing(String... operations) {
    return Stream.of(operations)
        .map(operation -> DestinationFaultPlan.all(operation, DestinationFault.FAIL_PERMANENT))
        .reduce(DestinationFaultPlan::or)
        .orElseThrow();
  }

  @Test
  void credentialsThatCanNeitherReplaceNorDeleteAreAppendOnly() throws Exception {
    ProbeReport report = appendOnly(refusing("putObject", "delete"));
    assertEquals(Fitness.FIT, report.fitness(), () -> report.findings().toString());
  }

  @ParameterizedTest
  @CsvSource({"delete, replace is refused", "putObject, delete is refused"})
  void credentialsThatCanDoOneOfThemAreNot(String refused, String wrong) throws Exception {
    ProbeReport report = appendOnly(refusing(refused));
    assertEquals(Fitness.UNFIT, report.fitness());
    Finding finding =
        report.findings().stream().filter(f -> f.name().equals(wrong)).findFirst().orElseThrow();
    assertEquals(Verdict.WRONG, finding.verdict(), finding::toString);
    assertTrue(finding.meaning().contains("takes over"), finding::toString);
    assertEquals(1, report.fitness().exitCode().number());
  }

  @Test
  void whatCouldNotBeTriedIsNotTakenForARefusal() throws Exception {
    ProbeReport report =
        appendOnly(
            refusing("putObject")
                .or(DestinationFaultPlan.all("delete", DestinationFault.FAIL_TRANSIENT)));
    assertEquals(Fitness.LIMITED, report.fitness(), () -> report.findings().toString());
  }

  @Test
  void whereNothingCanBeCreatedNothingIsAppendOnly() throws Exception {
    ProbeReport report = appendOnly(refusing("putSegment", "putObject", "delete"));
    assertEquals(1, report.fitness().exitCode().number());
  }

  @Test
  void findsADestinationUnfitThatListsLate() throws Exception {
    Outcome outcome = probe(Misbehavior.LISTS_LATE);
    assertEquals(Fitness.UNFIT, outcome.report.fitness());
    assertEquals(Verdict.WRONG, outcome.finding("list objects").verdict());
    assertTrue(outcome.text.contains("the object that was just created is not in the list"));
    assertEquals(Set.of(), outcome.there);
  }

  @ParameterizedTest
  @CsvSource({
    "DENIES_READ, read an object, LIMITED, verify",
    "DENIES_LIST, list objects, LIMITED, an agent without its state does not start",
    "DENIES_REPLACE, replace a small object, LIMITED, rename",
    "DENIES_CREATE, create an object, UNFIT, ship cannot deliver anything"
  })
  void saysWhichPermissionIsMissingAndWhatItMeans(
      Misbehavior denied, String name, Fitness fitness, String meaning) throws Exception {
    Outcome outcome = probe(denied);
    Finding finding = outcome.finding(name);
    assertEquals(Verdict.MISSING, finding.verdict());
    assertTrue(finding.meaning().contains(meaning), finding.meaning());
    assertEquals("Permit it in the test.", finding.remedy());
    assertEquals(fitness, outcome.report.fitness(), () -> outcome.text);
    assertTrue(outcome.with(Verdict.WRONG).isEmpty(), () -> outcome.text);
    assertEquals(Set.of(), outcome.there);
  }

  @Test
  void namesWhatItCannotRemoveAndLeavesLittle() throws Exception {
    Outcome outcome = probe(MemoryTarget.doing(Misbehavior.DENIES_DELETE), PLAN);
    assertEquals(Fitness.LIMITED, outcome.report.fitness(), () -> outcome.text);
    assertEquals(3, outcome.report.fitness().exitCode().number());
    assertEquals(Set.of("delete an object"), outcome.with(Verdict.MISSING));
    assertEquals(outcome.there, new TreeSet<>(outcome.remains.keys()));
    assertTrue(outcome.there.size() < 200, "left are " + outcome.there.size());
    assertTrue(outcome.remains.why().orElse("").contains("does not permit"));
    assertTrue(outcome.text.contains("left: here/tailwater-probe-1/"), outcome.text);
    assertTrue(outcome.text.contains(" more (--json names them all)"), outcome.text);
    assertTrue(outcome.with(Verdict.SKIPPED).contains("change: creates a deleted object anew"));
    assertTrue(
        outcome
            .with(Verdict.OK)
            .contains("put: leaves an existing object untouched, whatever it contains"),
        "the promises that can be tried without deleting are tried");
  }

  @Test
  void namesWhatIsLeftThoughItIsSaidToBeRemoved() throws Exception {
    Outcome outcome = probe(Misbehavior.KEEPS_DELETED);
    assertEquals(Verdict.WRONG, outcome.finding("delete an object").verdict());
    assertFalse(outcome.there.isEmpty());
    assertEquals(outcome.there, new TreeSet<>(outcome.remains.keys()));
    assertTrue(outcome.text.contains("still lists them"), outcome.text);
  }

  @Test
  void cannotBeUsedAtAllWhereNothingIsPermitted() throws Exception {
    Outcome outcome =
        probe(
            Misbehavior.DENIES_CREATE,
            Misbehavior.DENIES_READ,
            Misbehavior.DENIES_LIST,
            Misbehavior.DENIES_DELETE);
    assertEquals(Fitness.UNREACHABLE, outcome.report.fitness());
    assertEquals(1, outcome.report.fitness().exitCode().number());
    assertTrue(
        outcome.report.findings().stream().allMatch(f -> f.step() == Step.PERMISSION),
        "it went on where nothing can be tried");
    assertFalse(outcome.text.contains("were made below"), outcome.text);
  }

  @Test
  void takesAnOrderByUtf16ForHarmless() throws Exception {
    Outcome outcome = probe(Misbehavior.ORDERS_BY_UTF_16);
    assertEquals(Fitness.FIT, outcome.report.fitness(), () -> outcome.text);
    Finding finding = outcome.finding("list: orders whole keys by their unsigned bytes");
    assertEquals(Verdict.NOTE, finding.verdict());
    assertTrue(finding.meaning().contains("harmless"), finding.meaning());
  }

  @ParameterizedTest
  @CsvSource({
    "600, WRONG, '10 min 0 s ahead of this machine''s'",
    "-600, WRONG, behind this machine's",
    "30, NOTE, '30 s ahead of this machine''s'",
    "-3, OK, behind this machine's",
    "0, OK, agrees with this machine's within"
  })
  void tellsHowFarTheClocksAreApart(int aheadSeconds, Verdict verdict, String found)
      throws Exception {
    InstantSource other =
        InstantSource.offset(InstantSource.system(), Duration.ofSeconds(aheadSeconds));
    MemoryTarget target = new MemoryTarget(InMemoryDestination.create(other), place -> place);
    Outcome outcome = probe(target, QUICK);
    Finding finding = outcome.finding("clock");
    assertEquals(verdict, finding.verdict(), finding.found());
    assertTrue(finding.found().contains(found), finding.found());
    assertEquals(
        verdict == Verdict.WRONG ? Fitness.LIMITED : Fitness.FIT, outcome.report.fitness());
  }

  @Test
  void takesTimesOfWholeSecondsForWhatTheyAre() throws Exception {
    InstantSource coarse = () -> InstantSource.system().instant().truncatedTo(ChronoUnit.SECONDS);
    Outcome outcome =
        probe(new MemoryTarget(InMemoryDestination.create(coarse), place -> place), QUICK);
    assertEquals(Verdict.OK, outcome.finding("clock").verdict());
    assertTrue(outcome.finding("clock").found().startsWith("agrees"), outcome.text);
  }

  @Test
  void saysWhenTheDestinationDoesNotTellTheTime() throws Exception {
    InstantSource never = InstantSource.fixed(Instant.EPOCH);
    Outcome outcome =
        probe(new MemoryTarget(InMemoryDestination.create(never), place -> place), QUICK);
    assertEquals(Verdict.NOTE, outcome.finding("clock").verdict());
    assertTrue(outcome.finding("clock").found().contains("does not report the time"));
  }

  @Test
  void asksAgainAfterAFailureThatPasses() throws Exception {
    InMemoryDestination real = InMemoryDestination.create();
    DestinationFaultPlan once =
        DestinationFaultPlan.once("putSegment", DestinationFault.LOSE_ANSWER)
            .or(DestinationFaultPlan.once("list", DestinationFault.FAIL_TRANSIENT))
            .or(DestinationFaultPlan.once("delete", DestinationFault.FAIL_TRANSIENT));
    Outcome outcome =
        probe(new MemoryTarget(real, place -> FaultyDestination.wrap(place, once)), QUICK);
    assertEquals(Fitness.FIT, outcome.report.fitness(), () -> outcome.text);
    assertEquals(Set.of(), outcome.there);
  }

  @Test
  void aPutWithoutAnAnswerIsCleanedUpToo() throws Exception {
    InMemoryDestination real = InMemoryDestination.create();
    DestinationFaultPlan silent =
        DestinationFaultPlan.all("putSegment", DestinationFault.LOSE_ANSWER);
    Outcome outcome =
        probe(new MemoryTarget(real, place -> FaultyDestination.wrap(place, silent)), QUICK);
    assertEquals(Verdict.UNKNOWN, outcome.finding("create an object").verdict());
    assertEquals(Fitness.UNFIT, outcome.report.fitness());
    assertEquals(Set.of(), outcome.there);
  }

  @ParameterizedTest
  @CsvSource({"1", "3", "20", "200"})
  void removesEverythingWhenItIsStoppedAtAnyMoment(int puts) throws Exception {
    MemoryTarget target =
        new MemoryTarget(
            InMemoryDestination.create(), place -> FaultyDestination.wrap(place, stopping(puts)));
    Scratch scratch = Scratch.open(target, "probe");
    stoppable = Optional.of(scratch);
    assertThrows(StoppedException.class, () -> new Probe(scratch, PLAN, (done, of) -> {}).run());
    assertEquals(Leftovers.NONE, scratch.cleanUp());
    assertEquals(Set.of(), target.real().snapshot().keySet());
    assertThrows(StoppedException.class, () -> scratch.open("more"));
  }

  private DestinationFaultPlan stopping(int puts) {
    return call -> {
      stoppable
          .filter(scratch -> scratch.puts() >= puts)
          // In another thread, as the signal comes: this one may be in the middle of a put.
          .ifPresent(ProbeTest::stop);
      return DestinationFault.PROCEED;
    };
  }

  /** Returns when it is stopped, though what is under way is not at its end. */
  private static void stop(Scratch scratch) {
    Thread.ofPlatform().start(scratch::stop);
    while (isGoing(scratch)) {
      Thread.onSpinWait();
    }
  }

  private static boolean isGoing(Scratch scratch) {
    try {
      scratch.requireGoing();
      return true;
    } catch (StoppedException e) {
      return false;
    }
  }

  @Test
  void removesAtTheEndWhatItCouldNotRemoveBefore() throws Exception {
    AtomicInteger failures = new AtomicInteger(24);
    DestinationFaultPlan away =
        DestinationFaultPlan.when(
            call ->
                call.is("delete")
                    && call.key().startsWith("here/")
                    && failures.getAndDecrement() > 0,
            DestinationFault.FAIL_TRANSIENT);
    Outcome outcome =
        probe(
            new MemoryTarget(
                InMemoryDestination.create(), place -> FaultyDestination.wrap(place, away)),
            QUICK);
    assertTrue(failures.get() < 0, "it did not fail as often as it was to");
    assertEquals(Leftovers.NONE, outcome.remains);
    assertEquals(Set.of(), outcome.there);
  }

  @Test
  void leavesOutWhatIsLengthyWhenItIsToBeQuick() throws Exception {
    Outcome outcome = probe();
    assertTrue(outcome.with(Verdict.SKIPPED).contains("put: never shows a part of an object"));
    assertTrue(outcome.with(Verdict.SKIPPED).contains("puts of 8 MiB"));
    assertEquals(List.of(), outcome.report.throughputs());
    assertEquals(Fitness.FIT, outcome.report.fitness());
  }

  @Test
  void removesWhatTheDestinationItselfPutThere() throws Exception {
    MemoryTarget target = MemoryTarget.doing();
    try (Scratch scratch = Scratch.open(target, "probe")) {
      Destination place = scratch.open("a");
      place.putSegment("key", ByteBuffer.allocate(1));
      target.real().putObject("probe/a/.tailwater-tmp/create-only", new byte[1]);
      target.real().putObject("probe-of-somebody-else", new byte[1]);
    }
    assertEquals(Set.of("probe-of-somebody-else"), target.real().snapshot().keySet());
  }

  @Test
  void namesWhatItKnowsOfWhereItMayNeitherDeleteNorList() throws Exception {
    MemoryTarget target = MemoryTarget.doing(Misbehavior.DENIES_DELETE, Misbehavior.DENIES_LIST);
    Outcome outcome = probe(target, QUICK);
    assertTrue(outcome.remains.keys().containsAll(outcome.there), outcome.remains::toString);
    assertTrue(outcome.remains.keys().contains("here/tailwater-probe-1/permissions/segment"));
  }

  @Test
  void removesNothingOfSomebodyElseWhereListsShowMoreThanWasAsked() throws Exception {
    MemoryTarget target = MemoryTarget.doing(Misbehavior.IGNORES_PREFIX);
    target.real().putObject("host/log/0-7.zst", new byte[7]);
    Outcome outcome = probe(target, QUICK);
    assertEquals(Set.of("host/log/0-7.zst"), outcome.there);
    assertEquals(Leftovers.NONE, outcome.remains);
  }

  @Test
  void readsWhatWasPutWherePutsTakeMuchLongerThanReads() throws Exception {
    DestinationFaultPlan slowPuts =
        call -> {
          if (call.is("putSegment") && call.key().startsWith("latency-")) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(40));
          }
          return DestinationFault.PROCEED;
        };
    ProbePlan plan = new ProbePlan(true, 0, Duration.ofMillis(400), 200, InstantSource.system());
    Outcome outcome =
        probe(
            new MemoryTarget(
                InMemoryDestination.create(), place -> FaultyDestination.wrap(place, slowPuts)),
            plan);
    assertEquals(Fitness.FIT, outcome.report.fitness(), () -> outcome.text);
    assertEquals(2, outcome.report.timings().size(), () -> outcome.text);
  }

  @Test
  void readsNothingWhereNothingCouldBePutToTimeIt() throws Exception {
    DestinationFaultPlan noPuts =
        DestinationFaultPlan.when(
            call -> call.is("putSegment") && call.key().startsWith("latency-"),
            DestinationFault.FAIL_TRANSIENT);
    Outcome outcome =
        probe(
            new MemoryTarget(
                InMemoryDestination.create(), place -> FaultyDestination.wrap(place, noPuts)),
            QUICK);
    assertEquals(Verdict.UNKNOWN, outcome.finding("put of 1 KiB").verdict());
    assertEquals(Verdict.SKIPPED, outcome.finding("read of 1 KiB").verdict());
  }
}
