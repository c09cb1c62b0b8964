package dev.tailwater.delivery;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.PackId;
import dev.tailwater.archive.open.PackOpener;
import dev.tailwater.archive.sign.ObjectSigner;
import dev.tailwater.delivery.blocks.BlockExchange;
import dev.tailwater.delivery.checkpoint.Beginning;
import dev.tailwater.delivery.checkpoint.CheckpointSaver;
import dev.tailwater.delivery.checkpoint.CheckpointStore;
import dev.tailwater.delivery.checkpoint.CheckpointStore.PreviousRun;
import dev.tailwater.delivery.checkpoint.CheckpointStore.Sequence;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.config.Source;
import dev.tailwater.delivery.deliver.Deliverer;
import dev.tailwater.delivery.deliver.DelivererSettings;
import dev.tailwater.delivery.deliver.DeliveryCounters;
import dev.tailwater.delivery.deliver.DeliveryThreads;
import dev.tailwater.delivery.deliver.Inventory;
import dev.tailwater.delivery.deliver.StatedContent;
import dev.tailwater.delivery.drain.CodecSelector;
import dev.tailwater.delivery.drain.SpeedTuner;
import dev.tailwater.delivery.due.Claimants;
import dev.tailwater.delivery.due.DuePolicy;
import dev.tailwater.delivery.due.DueQueue;
import dev.tailwater.delivery.keeper.KnownStreams;
import dev.tailwater.delivery.keeper.LaneStart;
import dev.tailwater.delivery.keeper.LaneTools;
import dev.tailwater.delivery.keeper.TailKeeper;
import dev.tailwater.delivery.measure.LaneMeter;
import dev.tailwater.delivery.merge.MergeTarget;
import dev.tailwater.delivery.merge.Merger;
import dev.tailwater.delivery.merge.MergerTools;
import dev.tailwater.delivery.merge.PackMerging;
import dev.tailwater.delivery.merge.SourceFiles;
import dev.tailwater.delivery.pack.FactQueue;
import dev.tailwater.delivery.pack.ManifestStore;
import dev.tailwater.delivery.pack.PackGroups;
import dev.tailwater.delivery.pack.PackInventory;
import dev.tailwater.delivery.pack.PackNotes;
import dev.tailwater.delivery.pack.PackPut;
import dev.tailwater.delivery.pack.PackStages;
import dev.tailwater.delivery.pack.PackSwitch;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.receipt.ReceiptWriter;
import dev.tailwater.delivery.receipt.Receipts;
import dev.tailwater.delivery.resume.Resumption;
import dev.tailwater.delivery.resume.StreamSuccession;
import dev.tailwater.delivery.route.PacedDestination;
import dev.tailwater.delivery.route.Pacer;
import dev.tailwater.delivery.seal.Cutters;
import dev.tailwater.delivery.seal.LaneIntake;
import dev.tailwater.delivery.seal.SealContext;
import dev.tailwater.delivery.seal.SegmentHandover;
import dev.tailwater.delivery.stream.StreamProgress;
import dev.tailwater.delivery.tail.ArchivedNames;
import dev.tailwater.delivery.tempo.Tempo;
import dev.tailwater.delivery.tree.TreeArchiver;
import dev.tailwater.delivery.tree.TreeTools;
import dev.tailwater.delivery.trust.ArchiveTrust;
import dev.tailwater.delivery.worker.SealWorkers;
import dev.tailwater.delivery.worker.WorkerContext;
import dev.tailwater.destination.Destination;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The stages of one destination, wired. Making them starts the threads that deliver, and notes in
 * the local state that a run is under way; nothing is read yet.
 */
final class LaneStages {
  /** The number of the destination among the agent's. */
  final int number;

  final Problems problems;
  final Pacer pacer;

  /** The destination behind its bandwidth limit. */
  final Destination destination;

  final CheckpointStore checkpoints;
  final CheckpointSaver saver;
  final DeliveryCounters counters = new DeliveryCounters();
  final DueQueue queue;
  final PackStages packs;
  final Optional<TreeArchiver> tree;
  final LaneMeter meter;
  final Merger merger;
  final Optional<Receipts> receipts;
  final Deliverer deliverer;
  final StartupReconciliation reconciliation;
  final TailKeeper keeper;
  final SealWorkers workers;
  final LaneGauge gauge;
  final SpeedTuner speedTuner;

  private final SharedStages shared;
  private final AgentConfig config;
  private final LongSupplier nanoClock;

  LaneStages(int number, AgentDestination target, SharedStages shared) throws IOException {
    this.number = number;
    this.shared = shared;
    this.config = shared.config();
    AgentEnvironment environment = shared.environment();
    this.nanoClock = environment.nanoClock();
    this.pacer = new Pacer(target.bandwidth(), nanoClock, environment::timeOfDay, shared.tempo());
    this.destination =
        target.bandwidth().isUnlimited()
            ? target.destination()
            : new PacedDestination(target.destination(), pacer);
    this.problems =
        shared.laneCount() == 1 ? shared.problems() : shared.problems().of(target.name());
    this.checkpoints = shared.state().of(destination.uri().toString());
    this.saver = new CheckpointSaver(checkpoints, problems);
    DuePolicy duePolicy =
        new DuePolicy(
                config.limits().maxAge().toNanos(),
                config.segments().fullBytes(),
                config.limits().maxAtRisk().bytes())
            .withRests(config.resources().neighbour().pressure().isPresent());
    FactQueue facts = new FactQueue(nanoClock);
    Claimants claimants =
        new Claimants(config.scope().sources().stream().map(Source::root).toList());
    this.queue =
        new DueQueue(duePolicy, claimants, nanoClock, this::stagedBytes, shared.tempo(), facts);
    this.packs =
        new PackStages(
            new PackSwitch(config.segments().packUse(), config.limits().maxAge(), nanoClock),
            Merger.SHORT_PACK_BYTES,
            shared.packCodec(),
            new PackGroups(config.agent(), environment.random(), environment.clockMillis()),
            new PackNotes(checkpoints, saver),
            facts,
            new PackInventory(
                destination,
                config.agent(),
                shared::keyOfEarlierPacks,
                problems,
                new ArchiveTrust(
                    shared.trust(),
                    shared.signer().map(ObjectSigner::publicKey),
                    destination,
                    problems),
                shared.groupBound()));
    this.meter = LaneMeter.create(nanoClock);
    CodecSelector selector =
        new CodecSelector(
            new CodecSelector.Settings(
                config.segments().codec(),
                config.segments().fullBytes(),
                queue::unreadBytes,
                nanoClock),
            meter);
    PreviousRun previous = checkpoints.begin();
    Beginning beginning = checkpoints.beginning();
    packs.inventory().beginAt(beginning.group());
    KnownStreams known = new KnownStreams(config.agent(), checkpoints.files(), beginning);
    Inventory inventory = new Inventory(destination, Optional.of(packs.inventory()));
    if (!config.segments().packUse().isNever() || shared.mayRevise()) {
      packs.notes().begin();
    }
    this.reconciliation =
        new StartupReconciliation(
            config.agent(),
            inventory,
            packs,
            checkpoints,
            previous,
            known,
            new KnownRuns(
                config.agent(), destination, checkpoints, sequences(), shared.groupBound()),
            config.segments().contentCheck().key().isEmpty(),
            shared.startMillis());
    this.merger = new Merger(mergerTools(target.name()));
    this.tree = treeArchiver(target.name());
    tree.ifPresent(told -> shared.tempo().onChange(Tempo.Mode.HURRY, () -> hurry(told)));
    this.receipts = shared.signer().map(this::receipts);
    this.deliverer = deliverer(duePolicy, meter);
    LaneTools tools =
        new LaneTools(
            number,
            target.required(),
            known,
            saver,
            queue,
            deliverer,
            merger,
            problems,
            shared.clocks());
    this.keeper =
        new TailKeeper(
            tools, new LaneStart(tools, previous, checkpoints), config.timing().goneGrace());
    Resumption resumption =
        new Resumption(
            shared.sourceCalls(),
            inventory,
            new StatedContent(inventory, shared.contentKey(), problems),
            problems,
            reconciliation::mayHoldMore);
    StreamSuccession succession =
        new StreamSuccession(config.agent(), resumption, deliverer, saver, shared.clocks());
    this.workers = workers(selector, meter, succession);
    this.gauge =
        new LaneGauge(queue, deliverer, meter, pacer, config.resources().workers(), nanoClock);
    this.speedTuner =
        new SpeedTuner(
            selector,
            deliverer,
            counters,
            config.resources().parallelDeliveries(),
            nanoClock,
            shared.tempo());
  }

  /** Returns whether bytes that were replaced in a stream can be delivered. */
  boolean mayRevise(StreamProgress stream) {
    return shared.mayRevise() && packs.groups().accepts(stream);
  }

  /** Returns what is delivered whose names tell of later runs. */
  private Set<Sequence> sequences() {
    return shared.signer().isPresent() ? EnumSet.allOf(Sequence.class) : EnumSet.of(Sequence.PACKS);
  }

  private void hurry(TreeArchiver told) {
    if (shared.tempo().is(Tempo.Mode.HURRY)) {
      told.hurry();
    }
  }

  /** Returns what tells the destination of directories; empty where that is off. */
  private Optional<TreeArchiver> treeArchiver(String name) {
    if (!config.scope().directories()) {
      return Optional.empty();
    }
    AgentEnvironment environment = shared.environment();
    ArchivedNames names = shared.observing().names();
    return Optional.of(
        new TreeTools(
                shared.sourceCalls(),
                config.agent(),
                shared.sources(),
                shared.ownDirectories(),
                !config.scope().followSymlinks(),
                names,
                shared.observing().owners(),
                destination,
                shared::treeSealer,
                environment.random(),
                shared.groupBound(),
                this::toldTree,
                new TreeMemory(checkpoints),
                () -> shared.files().furtherNames(config.agent(), names::archived),
                config.scope().extendedAttributes()
                    ? Optional.of(shared.files().follow())
                    : Optional.empty(),
                problems,
                shared.clocks(),
                shared.arrivals()::lookMillis)
            .archiver(work -> environment.threads().unstarted("tree " + name, work)));
  }

  private Receipts receipts(ObjectSigner signer) {
    AgentEnvironment environment = shared.environment();
    ReceiptWriter writer =
        new ReceiptWriter(
            config.agent(),
            destination,
            signer,
            checkpoints,
            environment.random(),
            shared.clocks(),
            shared.groupBound());
    return new Receipts(
        writer, problems, nanoClock, work -> environment.threads().unstarted("receipts", work));
  }

  private MergerTools mergerTools(String name) {
    AgentEnvironment environment = shared.environment();
    return new MergerTools(
        new MergeTarget(
            name,
            destination,
            shared.contentKey(),
            checkpoints,
            saver,
            problems,
            this::isBusy,
            this::mergeToBytes,
            this::acknowledged),
        new SourceFiles(shared.sourceCalls(), shared.files()::find, shared.observing().names()),
        new PackMerging(
            packs.inventory(),
            PackPut.ofMerged(destination, meter.uplink()),
            new ManifestStore(destination, config.agent()),
            front -> front.isSound(new PackOpener(packs.inventory().trust().keys())),
            shared::packSealer,
            config.segments().keepRevisions()),
        shared::composer,
        shared.retries(),
        environment.random(),
        shared.clocks(),
        shared.neighbour(),
        shared.tempo());
  }

  /** Receipts are made after the merger. */
  private void acknowledged(String streamPrefix, ByteRange range) {
    receipts.ifPresent(all -> all.acknowledged(streamPrefix, range));
  }

  /** The same of directories, which are told by what is made before the receipts. */
  private void toldTree(PackId pack) {
    receipts.ifPresent(all -> all.toldTree(pack));
  }

  private boolean isBusy() {
    return deliverer.isBusy();
  }

  /** Asked each time, since a destination that is opened late recommends nothing before that. */
  private long mergeToBytes() {
    return config
        .segments()
        .mergeToBytes()
        .orElseGet(
            () ->
                Math.min(
                    destination.capabilities().recommendedMergeBytes(),
                    AgentConfig.MAX_MERGE_BYTES));
  }

  /**
   * Returns what was read and is not durable, for the queue, which is made before the deliverer.
   */
  private long stagedBytes() {
    return deliverer.notDurableBytes();
  }

  private Deliverer deliverer(DuePolicy duePolicy, LaneMeter meter) {
    AgentEnvironment environment = shared.environment();
    return new Deliverer(
        destination,
        saver,
        new DeliveryAccounting(
            counters,
            duePolicy,
            nanoClock,
            TimeUnit.MILLISECONDS.toNanos(shared.maxTickMillis()),
            merger,
            this::schedule),
        problems,
        new DelivererSettings(
            config.resources().parallelDeliveries(),
            shared.contentKey(),
            shared.signer(),
            receipts,
            shared.retries(),
            meter,
            nanoClock,
            environment.random(),
            new DeliveryThreads.Settings(
                environment.threads(),
                Optional.of(shared.neighbour().priorities()),
                shared.tempo())),
        packs);
  }

  private void schedule(StreamProgress stream) {
    shared
        .files()
        .find(stream.identity())
        .flatMap(file -> file.tail(number))
        .ifPresent(queue::schedule);
  }

  private SealWorkers workers(
      CodecSelector selector, LaneMeter meter, StreamSuccession succession) {
    AgentEnvironment environment = shared.environment();
    LaneIntake intake = new LaneIntake(queue, shared.stagingQuota(), deliverer);
    shared.intakes().add(intake);
    int workers = config.resources().workers();
    int atFullSpeed = Math.ceilDiv(environment.processors(), shared.laneCount());
    BlockExchange blocks = new BlockExchange(Math.max(workers, atFullSpeed), queue::wake);
    SealContext context =
        new SealContext(
            shared.sourceCalls(),
            new SegmentHandover(intake, shared.intakes(), counters),
            shared.frames(),
            blocks,
            selector,
            meter,
            new SealContext.Streams(succession, shared.wholeLines()),
            packs,
            problems,
            shared.clocks());
    return new SealWorkers(
        new WorkerContext(
            queue, blocks, intake.staging(), shared.neighbour(), problems, shared.clocks()),
        new Cutters(context, shared::sealer, shared::packSealer)::open,
        workers,
        atFullSpeed,
        shared.tempo(),
        environment.threads());
  }
}
