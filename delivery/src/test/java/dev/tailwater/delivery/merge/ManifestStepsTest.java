package dev.tailwater.delivery.merge;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.manifest.ListedManifest;
import dev.tailwater.archive.manifest.PackFront;
import dev.tailwater.archive.merge.RevisionRetention;
import dev.tailwater.archive.name.ManifestName;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.PackId;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.delivery.measure.UplinkMeter;
import dev.tailwater.delivery.pack.ManifestStore;
import dev.tailwater.delivery.pack.PackInventory;
import dev.tailwater.delivery.pack.PackPut;
import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.delivery.problem.ProblemListener;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.time.Clocks;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.testkit.DestinationFault;
import dev.tailwater.destination.testkit.DestinationFaultPlan;
import dev.tailwater.destination.testkit.FaultyDestination;
import dev.tailwater.destination.testkit.InMemoryDestination;
import dev.tailwater.destination.testkit.MisbehavingDestination;
import dev.tailwater.destination.testkit.Misbehavior;
import dev.tailwater.posix.testkit.CrashError;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ManifestStepsTest {
  private static final String AGENT = "web-1";
  private static final int FRONT_BYTES = 100;

  /** More than two joins. */
  private static final int MANIFESTS = 36;

  private final Destination real = InMemoryDestination.create();
  private final Random random = new Random(7);
  private long millis = 1_700_000_000_000L;
  private int packs;
  private final List<Problem> problems = new ArrayList<>();

  /** Packs of which manifests repeat something else than what they begin with. */
  private final Set<PackName> unsound = new HashSet<>();

  private final class Noted implements ProblemListener {
    @Override
    public void began(Problem problem) {
      problems.add(problem);
    }

    @Override
    public void ended(Problem problem) {}
  }

  private ManifestStore store(Destination destination) {
    return new ManifestStore(destination, AGENT);
  }

  private ManifestSteps steps(Destination destination) {
    Problems told = new Problems(new Noted(), () -> 0);
    return new ManifestSteps(
        new PackMerging(
            new PackInventory(destination, AGENT, Optional::empty, told),
            PackPut.ofMerged(destination, new UplinkMeter(() -> 0)),
            store(destination),
            front -> !unsound.contains(front.name()),
            () -> {
              throw new AssertionError("nothing is sealed here");
            },
            RevisionRetention.ALL),
        random,
        new Clocks(() -> 0, () -> millis++),
        told,
        new AtomicBoolean(),
        () -> {},
        _ -> {});
  }

  /** Puts the next pack, in a new group now and then. */
  private PackFront pack(int frontBytes) throws IOException {
    PackGroup group = new PackGroup("9hq8uvlhiuj8l-%08d".formatted(packs / 100));
    PackName name = new PackName(new PackId(AGENT, group, packs++), frontBytes, false);
    byte[] object = new byte[3 * frontBytes];
    random.nextBytes(object);
    real.putSegment(name.key(), ByteBuffer.wrap(object));
    return PackFront.of(name, ByteBuffer.wrap(object));
  }

  /** Returns what the manifests that count say. */
  private Map<PackName, PackFront> listed() throws IOException {
    ManifestStore store = store(real);
    List<ListedManifest> all = store.list();
    Set<ManifestName> superseded =
        ManifestName.superseded(all.stream().map(ListedManifest::name).toList());
    Map<PackName, PackFront> listed = new HashMap<>();
    for (ListedManifest one : all) {
      if (!superseded.contains(one.name())) {
        store.read(one).forEach(front -> listed.put(front.name(), front));
      }
    }
    return listed;
  }

  private void assertListed(List<PackFront> fronts) throws IOException {
    Map<PackName, PackFront> listed = listed();
    for (PackFront front : fronts) {
      assertTrue(listed.containsKey(front.name()), front.name()::key);
      assertArrayEquals(front.bytes(), listed.get(front.name()).bytes());
    }
  }

  /** Writes manifests until the process dies; returns the packs that are listed for sure. */
  private List<PackFront> live(ManifestSteps steps, int manifests) throws IOException {
    List<PackFront> done = new ArrayList<>();
    try {
      for (int i = 0; i < manifests; i++) {
        List<PackFront> some = new ArrayList<>();
        for (int pack = 0; pack < UnlistedPacks.FULL_PACKS; pack++) {
          some.add(pack(FRONT_BYTES));
          steps.add(some.getLast());
        }
        while (steps.isFull()) {
          steps.next(false);
        }
        done.addAll(some);
      }
    } catch (CrashError e) {
      // The next process goes on.
    }
    return done;
  }

  @Test
  void manifestsBecomeFewAndListEveryPackOnce() throws IOException {
    List<PackFront> fronts = live(steps(real), 200);
    assertListed(fronts);
    assertEquals(fronts.size(), listed().size());
    assertTrue(store(real).list().size() <= 2 * ManifestSteps.FAN);
    assertEquals(List.of(), problems);
  }

  @Test
  void aCrashOrAFailureAtAnyCallLosesNoListedPack() throws IOException {
    FaultyDestination counting = FaultyDestination.wrap(real, DestinationFaultPlan.none());
    live(steps(counting), MANIFESTS);
    long calls = counting.callCount();
    for (DestinationFault fault : DestinationFault.values()) {
      for (long number = 1; number <= calls; number++) {
        for (var entry : real.list("", Optional.empty(), Integer.MAX_VALUE).entries()) {
          real.delete(entry.key());
        }
        ManifestSteps steps =
            steps(FaultyDestination.wrap(real, DestinationFaultPlan.at(number, fault)));
        List<PackFront> fronts = live(steps, MANIFESTS);
        assertListed(fronts);
        fronts.addAll(live(steps(real), 2));
        assertListed(fronts);
      }
    }
  }

  @Test
  void whatWasMergedOrRemovedIsNotInAJoinedManifest() throws IOException {
    ManifestSteps steps = steps(real);
    List<PackFront> fronts = live(steps, 10);
    Set<PackName> gone = new HashSet<>();
    for (int i = 0; i < fronts.size(); i += 3) {
      real.delete(fronts.get(i).name().key());
      gone.add(fronts.get(i).name());
    }
    live(steps, 10);
    Set<PackName> listed = listed().keySet();
    assertTrue(gone.stream().noneMatch(listed::contains), "of the joined ones");
  }

  @Test
  void longManifestsAreNotWrittenAgain() throws IOException {
    ManifestSteps steps = steps(real);
    for (int i = 0; i < 100; i++) {
      steps.add(pack(ManifestSteps.LONG_BYTES / 3));
      if (steps.isFull()) {
        steps.next(false);
      }
    }
    List<ListedManifest> manifests = store(real).list();
    assertTrue(manifests.size() > 10, manifests::toString);
    assertTrue(manifests.stream().noneMatch(one -> one.name().isJoined()), manifests::toString);
  }

  @Test
  void aDamagedManifestIsSaidAndRemovedWhenItIsJoined() throws IOException {
    String key = ManifestName.of(AGENT, 5, random).key();
    real.putSegment(key, ByteBuffer.wrap(new byte[50]));
    List<PackFront> fronts = live(steps(real), 20);
    assertListed(fronts);
    assertTrue(problems.getFirst().message().contains(key), problems::toString);
    assertTrue(store(real).list().stream().noneMatch(one -> one.name().key().equals(key)));
  }

  @Test
  void whatIsInColdStorageStaysAndTheRestBecomesFew() throws IOException {
    List<PackFront> fronts = live(steps(real), ManifestSteps.FAN / 2);
    Set<String> cold = new HashSet<>();
    store(real).list().forEach(one -> cold.add(one.name().key()));
    AtomicInteger reads = new AtomicInteger();
    Destination cooling =
        FaultyDestination.wrap(
            real,
            call -> {
              boolean isCold = call.method().equals("read") && cold.contains(call.key());
              return isCold && reads.incrementAndGet() > 0
                  ? DestinationFault.FAIL_COLD
                  : DestinationFault.PROCEED;
            });
    fronts.addAll(live(steps(cooling), 100));
    assertListed(fronts);
    Set<String> left = new HashSet<>();
    store(real).list().forEach(one -> left.add(one.name().key()));
    assertTrue(left.containsAll(cold), "they stay");
    assertTrue(left.size() <= cold.size() + 2 * ManifestSteps.FAN, left::toString);
    assertEquals(cold.size(), reads.get(), "each was asked for once");
    assertEquals(List.of(), problems);
  }

  @Test
  void whatReadersWouldNotUseIsNotInAJoinedManifest() throws IOException {
    ManifestSteps steps = steps(real);
    List<PackFront> fronts = live(steps, 10);
    for (int i = 0; i < fronts.size(); i += 3) {
      unsound.add(fronts.get(i).name());
    }
    live(steps, 10);
    Set<PackName> listed = listed().keySet();
    assertTrue(unsound.stream().noneMatch(listed::contains), "of the joined ones");
    assertTrue(listed.contains(fronts.get(1).name()));
  }

  @Test
  void whereNothingMayBeRemovedNothingIsJoinedTwice() throws IOException {
    List<PackFront> fronts =
        live(steps(MisbehavingDestination.wrap(real, Misbehavior.DENIES_DELETE)), 60);
    assertListed(fronts);
    assertEquals(1, store(real).list().stream().filter(one -> one.name().isJoined()).count());
  }

  @Test
  void memoryIsBoundedWhereManifestsCannotBeWritten() throws IOException {
    UnlistedPacks unlisted = new UnlistedPacks();
    for (int i = 0; i < 100; i++) {
      unlisted.add(pack(500_000));
      assertTrue(unlisted.heldBytes() <= 2 * UnlistedPacks.FULL_BYTES);
    }
    assertTrue(unlisted.isFull());
  }
}
