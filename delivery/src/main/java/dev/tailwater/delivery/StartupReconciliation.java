package dev.tailwater.delivery;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.record.LastDrain;
import dev.tailwater.delivery.KnownRuns.Doubt;
import dev.tailwater.delivery.checkpoint.Beginning;
import dev.tailwater.delivery.checkpoint.CheckpointStore;
import dev.tailwater.delivery.checkpoint.CheckpointStore.PreviousRun;
import dev.tailwater.delivery.checkpoint.CheckpointStore.Sequence;
import dev.tailwater.delivery.deliver.Deliverer;
import dev.tailwater.delivery.deliver.Holding;
import dev.tailwater.delivery.deliver.Inventory;
import dev.tailwater.delivery.keeper.KnownStreams;
import dev.tailwater.delivery.pack.PackStages;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.delivery.time.ToldTimes;
import dev.tailwater.destination.ColdObjectException;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.PermanentDestinationException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reconciles the local state with what a destination holds, before anything is delivered to it: it
 * asks which streams there are when the local state is lost, and what has arrived of streams that
 * had ended when the last run was interrupted.
 */
final class StartupReconciliation {
  static final Duration FORGET_UNSEEN_AFTER = Duration.ofDays(30);

  private final String agent;
  private final Inventory inventory;
  private final PackStages packs;
  private final Optional<PackGroup> notedGroup;
  private final CheckpointStore checkpoints;
  private final PreviousRun previous;
  private final KnownStreams known;
  private final KnownRuns knownRuns;
  private final boolean keepsKeyInState;
  private final boolean listsAll;
  private final long nowMillis;

  /** Why the state is not believed, once the destination has told. */
  private volatile Optional<Doubt> doubt = Optional.empty();

  /**
   * What the destination holds.
   *
   * @param superseded the keys of superseded objects that an earlier run did not remove
   * @param beginning where the agent begins anew, since it cannot read what it has delivered
   * @param cold the first object that it could not read for that, if it is in cold storage
   * @param doubt why what the state said of files was forgotten, if it was
   * @param lastRuns the last runs of each kind, if the state does not know them yet
   * @param told the latest times of which the archive tells, as far as that is known
   */
  record Answer(
      Map<StreamId, Holding> holdings,
      Map<StreamProgress, List<ByteRange>> beyond,
      List<String> superseded,
      Optional<Beginning> beginning,
      Optional<ColdObjectException> cold,
      Optional<Doubt> doubt,
      Map<Sequence, PackGroup> lastRuns,
      ToldTimes told) {}

  /**
   * Creates the reconciliation of one destination.
   *
   * @param keepsKeyInState whether the key of earlier packs may be lost with the state, and not be
   *     configured wrongly
   */
  StartupReconciliation(
      String agent,
      Inventory inventory,
      PackStages packs,
      CheckpointStore checkpoints,
      PreviousRun previous,
      KnownStreams known,
      KnownRuns knownRuns,
      boolean keepsKeyInState,
      long nowMillis)
      throws IOException {
    this.nowMillis = nowMillis;
    this.agent = agent;
    this.inventory = inventory;
    this.packs = packs;
    this.notedGroup = packs.notes().latest();
    this.checkpoints = checkpoints;
    this.previous = previous;
    this.known = known;
    this.knownRuns = knownRuns;
    this.keepsKeyInState = keepsKeyInState;
    this.listsAll =
        previous == PreviousRun.NONE
            || checkpoints.lossSince(nowMillis - FORGET_UNSEEN_AFTER.toMillis());
  }

  /** Returns whether the destination may hold more of a known stream than its checkpoint says. */
  boolean mayHoldMore() {
    return previous != PreviousRun.CLEAN || doubt.isPresent();
  }

  Answer ask() throws DestinationException {
    KnownRuns.Found found = knownRuns.find();
    if (found.doubt().isPresent()) {
      doubt = found.doubt();
      knownRuns.forgetDelivered();
    }
    boolean lists = listsAll || doubt.isPresent();
    if (!lists) {
      readPacksOfInterruptedRun();
    }
    Map<StreamId, Holding> holdings = Map.of();
    List<String> superseded = new ArrayList<>();
    Optional<Beginning> beginning = Optional.empty();
    Optional<ColdObjectException> cold = Optional.empty();
    try {
      holdings = lists ? inventory.streams(agent, nowMillis) : Map.of();
      superseded.addAll(inventory.superseded(holdings.values()));
      // Of what is neither trusted nor readable, nobody can tell which streams it is about.
      beginning = isKeyLost() ? beginAnew() : Optional.empty();
      holdings = beginning.isPresent() ? Map.of() : holdings;
    } catch (PermanentDestinationException e) {
      cold = e instanceof ColdObjectException one ? Optional.of(one) : cold;
      beginning = isKeyLost() || cold.isPresent() ? beginAnew() : Optional.empty();
      if (beginning.isEmpty()) {
        throw e;
      }
      superseded.addAll(inventory.superseded(agent));
      if (!isStateLost()) {
        readPacksOfInterruptedRun(); // The state knows the other ones that it has made.
      }
    }
    Map<StreamProgress, List<ByteRange>> beyond = new HashMap<>();
    if (previous != PreviousRun.CLEAN && doubt.isEmpty()) {
      for (StreamProgress stream : known.ended()) {
        beyond.put(stream, inventory.segmentsBeyond(stream.streamPrefix(), stream.durableBytes()));
      }
    }
    packs.inventory().trust().report();
    Map<Sequence, PackGroup> lastRuns = new EnumMap<>(Sequence.class);
    lastRuns.putAll(found.later());
    if (lists) {
      listed(holdings).forEach(lastRuns::putIfAbsent);
    }
    superseded.addAll(packs.inventory().superseded());
    if (lists) {
      inventory.lastDrain(agent).ifPresent(this::noteTimes);
      packs.inventory().noteWritten(inventory.lastWrittenMillis());
    }
    ToldTimes told = told(holdings.isEmpty() && beginning.isEmpty());
    return new Answer(holdings, beyond, superseded, beginning, cold, doubt, lastRuns, told);
  }

  /**
   * Returns the latest times of which the archive tells. Arrivals in segments and records of
   * streams are not read, and were ahead of the clock if a run had been killed.
   */
  private ToldTimes told(boolean holdsNothing) {
    ToldTimes told = packs.inventory().told();
    boolean nothingWasTold = holdsNothing && told.equals(ToldTimes.NONE);
    return isStateLost() && !nothingWasTold ? told.withUnknownArrivals(nowMillis) : told;
  }

  /**
   * Notes both, since one that no clock shows must not hide the other. Where the later one is not
   * far ahead, only arrivals were; else the clock was set back.
   */
  private void noteTimes(LastDrain last) {
    packs.inventory().noteTime(last.atMillis());
    packs.inventory().noteArrival(last.toldMillis());
    if (last.toldMillis() - last.atMillis() > ToldTimes.ARRIVALS_AHEAD_MILLIS) {
      packs.inventory().noteTime(last.toldMillis());
    }
  }

  /** Reads the packs that the last run may have delivered without the state knowing of it. */
  private void readPacksOfInterruptedRun() throws DestinationException {
    if (previous != PreviousRun.CLEAN && notedGroup.isPresent()) {
      packs.inventory().read(notedGroup);
    }
  }

  /**
   * Returns the last runs, as far as the lists of all streams and packs tell them. Asks nothing.
   */
  private Map<Sequence, PackGroup> listed(Map<StreamId, Holding> holdings) {
    Map<Sequence, PackGroup> last = new EnumMap<>(Sequence.class);
    Optional<PackGroup> lastPack = packs.inventory().lastListed();
    last.put(Sequence.PACKS, lastPack.orElse(PackGroup.EARLIEST));
    if (holdings.isEmpty() && lastPack.isEmpty()) {
      last.put(Sequence.RECEIPTS, PackGroup.EARLIEST);
    }
    return last;
  }

  private boolean isStateLost() {
    return previous == PreviousRun.NONE || doubt.isPresent();
  }

  /** Returns whether there are packs whose content key was lost with the state. */
  private boolean isKeyLost() {
    return keepsKeyInState && isStateLost() && packs.inventory().isOfAnotherKey();
  }

  /** Returns a beginning behind all packs that are there; empty where there are none. */
  private Optional<Beginning> beginAnew() throws DestinationException {
    int usedEpoch = inventory.highestEpoch(agent, nowMillis);
    return packs.inventory().lastGroup().flatMap(last -> packs.groups().beginAnew(last, usedEpoch));
  }

  /**
   * Notes in the local state if the destination holds streams that it did not know, and where it
   * begins anew.
   */
  void noteLoss(Answer answer, long nowMillis) throws IOException {
    if (answer.beginning().isPresent()) {
      PackGroup begins = answer.beginning().get().group();
      boolean knowsAllBefore = isStateLost() || previous == PreviousRun.CLEAN;
      checkpoints.noteBeginning(
          answer.beginning().get(), knowsAllBefore ? begins : notedGroup.orElse(begins));
    }
    if (isStateLost() && !answer.holdings().isEmpty()) {
      checkpoints.noteLoss(nowMillis);
    }
    knownRuns.note(answer.lastRuns());
    if (answer.doubt().isPresent()) {
      knownRuns.forgetReceipt();
    }
  }

  /**
   * Settles streams that had ended: what was read and has not arrived is lost, and is recorded as a
   * gap.
   */
  void settle(Answer answer, Deliverer deliverer) {
    answer.beginning().ifPresent(this::begin);
    if (answer.doubt().isPresent()) {
      known.forget();
    }
    notedGroup.ifPresent(packs.groups()::known);
    packs.inventory().latest().ifPresent(packs.groups()::known);
    boolean allKnown = previous == PreviousRun.CLEAN && answer.doubt().isEmpty();
    if (allKnown || packs.inventory().all().isEmpty()) {
      packs.notes().complete();
    }
    for (StreamProgress stream : known.ended()) {
      answer.beyond().getOrDefault(stream, List.of()).forEach(stream::holds);
      if (stream.lostAfterReading().isPresent()) {
        stream.concedeLostBytes();
      }
      deliverer.describe(stream);
    }
  }

  private void begin(Beginning beginning) {
    known.beginAnew(beginning);
    packs.inventory().beginAt(beginning.group());
  }
}
