package dev.tailwater.delivery.merge;

import dev.tailwater.archive.ArchiveException;
import dev.tailwater.archive.manifest.PackFront;
import dev.tailwater.archive.merge.PackInput;
import dev.tailwater.archive.merge.PackMerge;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.seal.PackSealer;
import dev.tailwater.archive.seal.PlainPack;
import dev.tailwater.archive.seal.SealedPack;
import dev.tailwater.delivery.merge.MergeSteps.Outcome;
import dev.tailwater.delivery.pack.PackedDelivery;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.RefusedDestinationException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The steps of merging packs: the merged pack is put, then those that it covers are removed. A
 * crash in between leaves both, of which readers take the merged one; the next start removes the
 * others, as it finds them when it reads what is there.
 *
 * <p>Used by the merger's thread, except for {@link #delivered}, {@link #hasWork} and {@link
 * #hasCleaning}.
 */
final class PackMergeSteps implements AutoCloseable {
  private static final String SUBJECT = "merging of packs";
  private static final String HINT = "nothing is lost or at risk; short packs stay";
  private static final String FORBIDDEN_HINT =
      "Nothing is lost or at risk. Packs are not merged in this run of the agent, so there will be"
          + " more of them; 'tailwater compact' merges them from a host that may delete.";

  private final MergerTools tools;
  private final PackMerging packs;
  private final MergeCounters counters;
  private final MergeWriter.Turn turn;
  private final Consumer<Boolean> uploading;
  private final PackLedger ledger;
  private final ManifestSteps manifests;
  private @Nullable PackSealer sealer;

  private final Removals superseded;

  /** A merge of which it is not known whether its pack was put. */
  private volatile Optional<PackLedger.Plan> doubtful = Optional.empty();

  /**
   * Creates the steps of one merger.
   *
   * @param forbidden set when the destination forbids to remove; nothing is merged from then on
   * @param uploading told true before an upload begins, and false when it has ended; in between,
   *     the thread may be interrupted
   */
  PackMergeSteps(
      MergerTools tools,
      MergeCounters counters,
      AtomicBoolean forbidden,
      ManifestSteps manifests,
      MergeWriter.Turn turn,
      Consumer<Boolean> uploading) {
    this.manifests = manifests;
    this.tools = tools;
    this.packs = tools.packs();
    this.counters = counters;
    this.turn = turn;
    this.uploading = uploading;
    this.superseded = new Removals(tools.target().destination(), counters, forbidden);
    this.ledger = new PackLedger(tools.target().mergeToBytes());
  }

  /** Notes a durable pack; returns whether there is something to merge or to list now. */
  boolean delivered(PackedDelivery delivery) {
    SealedPack pack = delivery.pack();
    if (superseded.areForbidden() || !ledger.isOn() || delivery.plain().isEmpty()) {
      return delivery.front().isPresent() && manifests.add(delivery.front().get());
    }
    return ledger.add(
        new PackLedger.ShortPack(
            pack.name(),
            delivery.plain().get(),
            delivery.rawBytes(),
            pack.directory().ranges().size(),
            0));
  }

  /** Adds keys of packs that a merged one covers. */
  void supersede(List<String> keys) {
    superseded.add(keys);
  }

  /** Returns whether there may be packs to remove. */
  boolean hasCleaning() {
    return doubtful.isPresent() || !superseded.isEmpty();
  }

  /** Returns whether there are packs to merge. */
  boolean hasWork() {
    return !superseded.areForbidden() && ledger.next().isPresent();
  }

  /** Removes what is superseded, or if nothing is, merges where that is allowed. */
  Outcome next(BooleanSupplier mayClean, BooleanSupplier mayMerge) {
    try {
      Outcome outcome = step(mayClean, mayMerge);
      if (!superseded.areForbidden()
          && (outcome == Outcome.FINISHED || !(hasCleaning() || hasWork()))) {
        tools.target().problems().resolved(SUBJECT);
      }
      return outcome;
    } catch (MergeWriter.AbandonedException e) {
      return Outcome.UNFINISHED;
    } catch (DestinationException e) {
      String hint = e.retryHint() + " Meanwhile " + HINT + ".";
      report(String.valueOf(e.getMessage()), hint, e.permanent());
      return e.permanent() ? Outcome.REFUSED : Outcome.FAILED;
    } catch (IOException e) {
      report(String.valueOf(e.getMessage()), HINT, false);
      return Outcome.FAILED;
    } catch (RuntimeException e) {
      report(String.valueOf(e), "this should not happen; " + HINT, true);
      return Outcome.REFUSED;
    }
  }

  private void report(String message, String hint, boolean permanent) {
    tools.target().problems().reportHarmless(SUBJECT, message, Optional.of(hint), permanent);
  }

  private Outcome step(BooleanSupplier mayClean, BooleanSupplier mayMerge) throws IOException {
    if (!superseded.isEmpty()) {
      return removeSuperseded(mayClean) ? Outcome.FINISHED : Outcome.UNFINISHED;
    }
    if (doubtful.isPresent()) {
      resolveDoubt(doubtful.get());
      return Outcome.UNFINISHED;
    }
    Optional<PackLedger.Plan> plan = mayMerge.getAsBoolean() ? ledger.next() : Optional.empty();
    return plan.isPresent() && merge(plan.get()) ? Outcome.FINISHED : Outcome.UNFINISHED;
  }

  /** Removes superseded packs; returns whether any was removed. */
  private boolean removeSuperseded(BooleanSupplier mayClean) throws DestinationException {
    try {
      return superseded.removeWhile(mayClean);
    } catch (RefusedDestinationException e) {
      ledger.clear();
      doubtful = Optional.empty();
      String message = "packs that were merged cannot be removed: " + e.getMessage();
      report(message, FORBIDDEN_HINT, false);
      return false;
    }
  }

  /** Asks the destination whether the merged pack is there. */
  private void resolveDoubt(PackLedger.Plan plan) throws DestinationException {
    Optional<PackName> merged =
        packs.inventory().namesOf(plan.id().group()).stream()
            .filter(name -> name.id().equals(plan.id()))
            .findFirst();
    if (merged.isPresent() && packs.inventory().isReadable(merged.get())) {
      settle(plan, Optional.empty());
    }
    doubtful = Optional.empty();
  }

  private void settle(PackLedger.Plan plan, Optional<PackLedger.ShortPack> merged) {
    supersede(plan.keys());
    manifests.merged(Set.copyOf(plan.keys()));
    ledger.merged(plan, merged);
  }

  /** Merges; returns whether a merged pack was put. */
  private boolean merge(PackLedger.Plan plan) throws IOException {
    AtomicReference<@Nullable PlainPack> plain = new AtomicReference<>();
    Optional<SealedPack> sealed = seal(plan, plain);
    if (sealed.isEmpty()) {
      ledger.forget(plan);
      return false;
    }
    SealedPack pack = sealed.get();
    turn.await();
    // From here on, only the destination knows how far the merge got.
    doubtful = Optional.of(plan);
    try {
      uploading.accept(true);
      packs.put().put(pack);
    } catch (DestinationException e) {
      turn.await(); // Abandoned, if the failure comes from the interrupt that does that.
      throw e;
    } finally {
      uploading.accept(false);
    }
    counters.mergedPacks(pack.directory().rawBytes(), pack.lengthBytes());
    PackFront.ifShort(pack.name(), pack.content()).ifPresent(manifests::add);
    settle(plan, Optional.ofNullable(plain.get()).map(kept -> kept(plan, pack, kept)));
    doubtful = Optional.empty();
    return true;
  }

  private static PackLedger.ShortPack kept(PackLedger.Plan plan, SealedPack pack, PlainPack plain) {
    return new PackLedger.ShortPack(
        pack.name(),
        plain,
        pack.directory().rawBytes(),
        pack.directory().ranges().size(),
        plan.merges());
  }

  /** Makes the merged pack; empty when these packs cannot be merged. */
  private Optional<SealedPack> seal(
      PackLedger.Plan plan, AtomicReference<@Nullable PlainPack> plain) throws IOException {
    try {
      List<PackInput> inputs = new ArrayList<>();
      for (PackLedger.ShortPack pack : plan.packs()) {
        inputs.add(PackInput.of(pack.plain()));
      }
      Optional<PackMerge> merge =
          PackMerge.of(
              inputs, List.of(), packs.keepRevisions().replacedByMillis(tools.clocks().millis()));
      if (merge.isEmpty()) {
        return Optional.empty();
      }
      Optional<Consumer<PlainPack>> keeper =
          plan.isLast() ? Optional.empty() : Optional.of(plain::set);
      return Optional.of(merge.get().seal(sealer(), turn::await, keeper));
    } catch (ArchiveException e) {
      ledger.forget(plan);
      throw new IOException("packs in memory are damaged: " + e.getMessage(), e);
    }
  }

  private PackSealer sealer() {
    if (sealer == null) {
      sealer = packs.sealers().get();
    }
    return sealer;
  }

  @Override
  public void close() {
    if (sealer != null) {
      sealer.close();
    }
  }
}
