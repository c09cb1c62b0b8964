package dev.tailwater.it.conservation;

import dev.tailwater.archive.Codec;
import dev.tailwater.archive.merge.RevisionRetention;
import dev.tailwater.delivery.StateTrouble;
import dev.tailwater.delivery.config.CutAt;
import dev.tailwater.delivery.pack.PackUse;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** What happens to agents, their state and their archive, picked by a seeded generator. */
final class AgentActions {
  private static final List<Codec> CODECS =
      List.of(new Codec.Zstd(1), new Codec.Gzip(1), new Codec.Store());
  private static final List<RevisionRetention> RETENTIONS =
      List.of(
          RevisionRetention.ALL,
          RevisionRetention.of(Duration.ofMillis(100)),
          RevisionRetention.NONE);

  /** So little that what a file has gathered in packs becomes segments all the time. */
  private static final int GATHERED_BYTES = 2 << 10;

  /** What a JVM leaves of a limit of 64 (`ulimit -n`), and of 200. */
  private static final int LEAST_DESCRIPTORS = 40;

  private static final int MOST_FEW_DESCRIPTORS = 176;

  /** Pages or inodes. */
  private static final int MOST_LEFT = 40;

  private final Random random;
  private final FileModel model;
  private final AgentLives agents;
  private final List<String> journal;

  AgentActions(Random random, FileModel model, AgentLives agents, List<String> journal) {
    this.random = random;
    this.model = model;
    this.agents = agents;
    this.journal = journal;
  }

  /** What can be done now. */
  List<RandomActions.Action> possible() {
    return agents.isAlive()
        ? List.of(
            this::kill,
            this::drainAndStop,
            this::stall,
            this::troubleState,
            this::fillState,
            this::await,
            this::await)
        : List.of(
            this::start,
            this::start,
            this::start,
            this::startOnFullState,
            this::loseStateAndStart,
            this::keepState,
            this::setStateBackAndStart,
            this::compact);
  }

  private void note(String what) {
    journal.add(what);
  }

  private static Optional<String> done(String what) {
    return Optional.of(what);
  }

  private Optional<String> await() throws Exception {
    List<Path> names = model.names();
    Optional<Path> name =
        names.isEmpty() ? Optional.empty() : Optional.of(names.get(random.nextInt(names.size())));
    if (name.isPresent()) {
      note("wait until " + name.get() + " is delivered");
      agents.awaitDelivered(name.get());
      model.acknowledgeAll();
      model.snapshot(name.get());
    }
    return name.map(_ -> "await");
  }

  private Optional<String> stall() {
    boolean slow = random.nextBoolean();
    note(slow ? "the agent gets slow" : "the agent gets fast");
    agents.stall(slow);
    return done("stall");
  }

  /**
   * What the state does not know of a file that then gets another name while no agent runs, nobody
   * finds again; so an agent is not killed before its state is saved.
   */
  private Optional<String> troubleState() throws IOException {
    StateTrouble.Kind[] kinds = StateTrouble.Kind.values();
    StateTrouble.Kind kind = kinds[random.nextInt(kinds.length)];
    note("what befalls the state: " + kind);
    agents.trouble(kind);
    return done("trouble");
  }

  private Optional<String> fillState() throws IOException {
    StateDisk.Lack lack = anyLack();
    note("fill the state's disk: " + lack);
    agents.fillState(lack);
    return done("fill");
  }

  private StateDisk.Lack anyLack() {
    StateDisk.Room[] rooms = StateDisk.Room.values();
    StateDisk.Room room = rooms[random.nextInt(rooms.length)];
    return new StateDisk.Lack(room, random.nextBoolean() ? 0 : random.nextInt(MOST_LEFT));
  }

  private Optional<String> startOnFullState() throws Exception {
    StateDisk.Lack lack = anyLack();
    AgentLives.Variation variation = anyVariation();
    note("start an agent on a full disk: " + lack + ", " + variation);
    note(agents.startOnFullState(variation, lack).map(why -> "it ended: " + why).orElse("it runs"));
    return done("start on a full disk");
  }

  /** Has an agent tell all names and directories at its end, and starts the next one. */
  void tellTree() throws Exception {
    if (!agents.isAlive()) {
      start();
    }
    drainAndStop();
    start();
  }

  /** Kills the agent when it has delivered the file that has this name. */
  void killOnceDelivered(Path name) throws Exception {
    agents.awaitDelivered(name);
    kill();
  }

  private Optional<String> kill() throws Exception {
    agents.awaitSaved();
    model.acknowledgeAll();
    note("kill the agent");
    agents.kill();
    model.agentKilled();
    agents.restore().checkNames(model);
    return done("kill");
  }

  private Optional<String> drainAndStop() throws Exception {
    note("drain and stop the agent");
    model.drained(agents.drainAndStop(model.unseenNames()));
    return done("drain");
  }

  private Optional<String> loseStateAndStart() throws Exception {
    note("lose the state");
    agents.loseState();
    model.stateLost();
    return start();
  }

  private Optional<String> keepState() throws IOException {
    note("keep the state");
    agents.keepState();
    return done("keep the state");
  }

  /** As when a machine is set back to a snapshot, or an older backup is put in place. */
  private Optional<String> setStateBackAndStart() throws Exception {
    if (!agents.setStateBack()) {
      return Optional.empty();
    }
    note("set the state back");
    model.stateLost();
    start();
    return done("set the state back");
  }

  /** As an administrator does from another host, when it is quiet. */
  private Optional<String> compact() throws IOException {
    RevisionRetention retention = anyRetention();
    note("compact the archive: " + retention);
    agents.compact(retention);
    return done("compact");
  }

  private RevisionRetention anyRetention() {
    return RETENTIONS.get(random.nextInt(RETENTIONS.size()));
  }

  Optional<String> start() throws Exception {
    AgentLives.Variation variation = anyVariation();
    note("start an agent: " + variation);
    agents.trouble(StateTrouble.Kind.NONE);
    agents.start(variation);
    return done("start");
  }

  private AgentLives.Variation anyVariation() {
    Codec codec = CODECS.get(random.nextInt(CODECS.size()));
    return new AgentLives.Variation(
        1 + random.nextInt(2),
        1 + random.nextInt(3),
        codec,
        random.nextBoolean() ? CutAt.NEWLINE : CutAt.ANYWHERE,
        packUse(codec),
        anyRetention(),
        Duration.ofMillis(100),
        agents.lives() % 3 * 8,
        anyDescriptors(),
        random.nextBoolean() ? AgentLives.MERGE_TO_BYTES : GATHERED_BYTES);
  }

  private AgentLives.Descriptors anyDescriptors() {
    if (random.nextInt(4) == 0) {
      return AgentLives.Descriptors.limited(
          LEAST_DESCRIPTORS + random.nextInt(MOST_FEW_DESCRIPTORS - LEAST_DESCRIPTORS));
    }
    return agents.lives() % 2 == 0
        ? AgentLives.Descriptors.MANY
        : AgentLives.Descriptors.FEW_WATCHED;
  }

  /** Agents with packs meet the segments of others, and some change over while they run. */
  private PackUse packUse(Codec codec) {
    int least = Boolean.getBoolean("tailwater.packs") ? 0 : random.nextInt(4);
    return switch (least) {
      case 0 -> codec instanceof Codec.Gzip ? PackUse.NEVER : PackUse.ALWAYS;
      case 1 -> PackUse.NEVER;
      default -> new PackUse(least);
    };
  }
}
