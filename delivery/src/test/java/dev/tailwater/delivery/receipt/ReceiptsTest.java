package dev.tailwater.delivery.receipt;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.GroupBound;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.PackId;
import dev.tailwater.archive.name.ReceiptName;
import dev.tailwater.archive.record.Acknowledged;
import dev.tailwater.archive.sign.ObjectSigner;
import dev.tailwater.archive.sign.SigningKey;
import dev.tailwater.delivery.StateTrouble;
import dev.tailwater.delivery.TestAgent;
import dev.tailwater.delivery.checkpoint.CheckpointStore;
import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.problem.UnheardProblems;
import dev.tailwater.delivery.time.Clocks;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.ForwardingDestination;
import dev.tailwater.destination.Listing;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.testkit.InMemoryDestination;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.log.StoreOptions;
import dev.tailwater.store.log.TransactionLogStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReceiptsTest {
  private static final String AGENT = "web-1";
  private static final String STREAM = "web-1/logs/app.log";

  private final Destination destination = InMemoryDestination.create();
  private final Occupied occupied = new Occupied(destination);
  private final AtomicBoolean clockFails = new AtomicBoolean();
  private final Problems problems = new Problems(new UnheardProblems(), () -> 0);
  private StateTrouble trouble;
  private KeyValueStore store;
  private Receipts receipts;

  /** Has an object of every name, as somebody else could see to, or a server that is mistaken. */
  private static final class Occupied extends ForwardingDestination {
    final AtomicInteger left = new AtomicInteger();

    Occupied(Destination real) {
      super(real);
    }

    @Override
    public PutResult putSegment(String key, ByteBuffer content) throws DestinationException {
      if (left.getAndDecrement() > 0) {
        real().putObject(key, new byte[content.remaining()]);
      }
      return super.putSegment(key, content);
    }
  }

  private long millis() {
    if (clockFails.getAndSet(false)) {
      throw new AssertionError("says a test");
    }
    return 0;
  }

  @BeforeEach
  void create(@TempDir Path base) throws Exception {
    trouble = new StateTrouble(base.toRealPath());
    store =
        TransactionLogStore.open(
            FaultyFileCalls.wrap(LinuxFileCalls.create(), trouble).calls(),
            PosixPath.of(base.resolve("state")),
            StoreOptions.defaults());
    receipts =
        new Receipts(writer(occupied), problems, System::nanoTime, Thread.ofPlatform()::unstarted);
  }

  private ReceiptWriter writer(Destination to) {
    return new ReceiptWriter(
        AGENT,
        to,
        new ObjectSigner(SigningKey.generate(new SecureRandom()), () -> 0),
        new CheckpointStore(store, store, "memory:/"),
        new SecureRandom(),
        new Clocks(System::nanoTime, this::millis),
        new GroupBound(() -> 0));
  }

  @AfterEach
  void close() throws Exception {
    receipts.close();
    store.close();
  }

  private List<String> written() throws Exception {
    List<String> keys =
        destination.list(ReceiptName.prefix(AGENT), Optional.empty(), 10).entries().stream()
            .map(entry -> entry.key())
            .toList();
    return keys.stream().map(this::content).toList();
  }

  private String content(String key) {
    try (InputStream in = destination.read(key, 0, 1 << 16)) {
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void saysInWordsThatAFullStateCannotNoteTheReceipt() {
    trouble.set(StateTrouble.Kind.FULL);
    receipts.acknowledged(STREAM, new ByteRange(0, 10));
    receipts.writeLast();
    Problem problem = problems.open().getFirst();
    assertTrue(
        problem.message().startsWith("no receipt is noted in the state: nothing was written"),
        problem.message());
    assertTrue(problem.hint().orElseThrow().startsWith("make room"), problem::toString);
    trouble.set(StateTrouble.Kind.NONE);
    receipts.writeLast();
    assertEquals(List.of(), problems.open());
  }

  /** As of two machines of which one is a copy of the other, with the state. */
  @Test
  void anAgentOfTheSameNameThatRunsAtTheSameTimeIsReported() throws Exception {
    SecureRandom random = new SecureRandom();
    ReceiptWriter writer = writer(destination);
    for (int i = 0; i < 2 * ReceiptWriter.LOOK_EVERY; i++) {
      writer.write(some(i), false);
      assertEquals(Optional.empty(), writer.otherRun(), "it is alone at receipt " + i);
    }
    PackGroup copy = PackGroup.begin(2_000_000, random);
    destination.putObject(new ReceiptName(AGENT, copy, 0, 0).key(), new byte[1]);
    Optional<PackGroup> found = Optional.empty();
    for (int i = 0; i < ReceiptWriter.LOOK_EVERY && found.isEmpty(); i++) {
      writer.write(some(i), false);
      found = writer.otherRun();
    }
    assertEquals(Optional.of(copy), found);
  }

  @Test
  void earlierRunsOfAnAgentAreNoOtherAgent() throws Exception {
    for (int run = 0; run < 3; run++) {
      ReceiptWriter writer = writer(destination);
      for (int i = 0; i < 4; i++) {
        writer.write(some(i), false);
        assertEquals(Optional.empty(), writer.otherRun());
      }
    }
  }

  @Test
  void aRunThatWasKilledBeforeItNotedItsReceiptIsNoOtherAgent() throws Exception {
    writer(destination).write(some(0), false);
    PackGroup killed = PackGroup.begin(3_000_000, new SecureRandom());
    new CheckpointStore(store, store, "memory:/")
        .noteBegun(CheckpointStore.Sequence.RECEIPTS, killed);
    destination.putObject(new ReceiptName(AGENT, killed, 0, 0).key(), new byte[1]);
    ReceiptWriter writer = writer(destination);
    writer.write(some(1), false);
    writer.write(some(2), false);
    assertEquals(Optional.empty(), writer.otherRun());
  }

  @Test
  void anAgentThatFindsAnotherOneDoesNotEndAsIfAllWasWell() throws Exception {
    AtomicLong minutes = new AtomicLong();
    Receipts often =
        new Receipts(
            writer(destination),
            problems,
            () -> TimeUnit.MINUTES.toNanos(minutes.incrementAndGet()),
            Thread.ofPlatform()::unstarted);
    often.acknowledged(STREAM, new ByteRange(0, 1));
    often.writeFirst();
    destination.putObject(
        new ReceiptName(AGENT, PackGroup.begin(9_000_000, new SecureRandom()), 0, 0).key(),
        new byte[1]);
    often.acknowledged(STREAM, new ByteRange(1, 2));
    often.start();
    try {
      TestAgent.await(
          "it is reported",
          () ->
              problems.open().stream()
                  .anyMatch(
                      one -> one.bytesDependOnIt() && one.message().contains("of this name")));
    } finally {
      often.close();
    }
  }

  /** Counts lists, or refuses them as credentials do that may only put. */
  private static final class Lists extends ForwardingDestination {
    final AtomicInteger asked = new AtomicInteger();
    final AtomicBoolean refused = new AtomicBoolean();

    Lists(Destination real) {
      super(real);
    }

    @Override
    public Listing list(String prefix, Optional<String> afterKey, int maxEntries)
        throws DestinationException {
      asked.incrementAndGet();
      if (refused.get()) {
        throw new PermanentDestinationException(uri(), "list", prefix, "refused", "says a test");
      }
      return super.list(prefix, afterKey, maxEntries);
    }
  }

  private void putReceiptOfAnotherRun() throws Exception {
    PackGroup copy = PackGroup.begin(9_000_000, new SecureRandom());
    destination.putObject(new ReceiptName(AGENT, copy, 0, 0).key(), new byte[1]);
  }

  @Test
  void lookingForAnotherAgentListsNoneOfTheAgentsOwnReceipts() throws Exception {
    Lists lists = new Lists(destination);
    ReceiptWriter writer = writer(lists);
    writer.write(some(0), false);
    String first =
        destination.list(ReceiptName.prefix(AGENT), Optional.empty(), 1).entries().getFirst().key();
    PackGroup own = ReceiptName.parse(first).orElseThrow().run();
    for (int i = 0; i < 2_500; i++) { // None is removed, where that is refused.
      destination.putObject(new ReceiptName(AGENT, own, 1000 + i, 1000 + i).key(), new byte[1]);
    }
    putReceiptOfAnotherRun();
    writer.write(some(1), false);
    lists.asked.set(0);
    assertTrue(writer.otherRun().isPresent());
    assertEquals(2, lists.asked.get(), "as many requests as with two receipts");
  }

  @Test
  void anotherAgentIsLookedForAlsoWhereSeveralReceiptsAreWrittenAtOnce() throws Exception {
    ReceiptWriter writer = writer(occupied);
    writer.write(some(0), false);
    occupied.left.set(1); // The number 1 is taken, so the next receipt is the third.
    writer.write(some(1), false);
    putReceiptOfAnotherRun();
    assertTrue(writer.otherRun().isPresent());
  }

  @Test
  void aLookForAnotherAgentThatFailedIsNoFailureOfReceiptsAndMadeAgain() throws Exception {
    Lists lists = new Lists(destination);
    Receipts looking =
        new Receipts(writer(lists), problems, System::nanoTime, Thread.ofPlatform()::unstarted);
    looking.acknowledged(STREAM, new ByteRange(0, 1));
    looking.writeNow();
    lists.refused.set(true);
    looking.acknowledged(STREAM, new ByteRange(1, 2));
    looking.writeNow();
    assertEquals(
        List.of("looking for another agent of this name"),
        problems.open().stream().map(Problem::subject).toList());
    String message = problems.open().getFirst().message();
    assertTrue(message.startsWith("looking for another agent of this name: "), message);
    lists.refused.set(false);
    putReceiptOfAnotherRun();
    looking.acknowledged(STREAM, new ByteRange(2, 3));
    looking.writeNow();
    assertEquals(
        List.of("another agent of this name"),
        problems.open().stream().map(Problem::subject).toList());
  }

  private static Acknowledged some(int number) {
    Acknowledged some = new Acknowledged();
    some.add(STREAM, new ByteRange(number, number + 1L));
    return some;
  }

  @Test
  void aRunIsBehindTheLastOneThatCanBeTheAgentsOwn() throws Exception {
    SecureRandom random = new SecureRandom();
    PackGroup own = PackGroup.begin(1_000_000_000, random);
    PackGroup forged = PackGroup.begin(Long.MAX_VALUE, random);
    for (PackGroup run : List.of(own, forged)) {
      destination.putObject(new ReceiptName(AGENT, run, 0, 0).key(), new byte[1]);
    }
    receipts.acknowledged(STREAM, new ByteRange(0, 100));
    receipts.writeLast();
    assertEquals(
        List.of(own.begunNanos(), own.begunNanos() + 1, Long.MAX_VALUE),
        destination.list(ReceiptName.prefix(AGENT), Optional.empty(), 10).entries().stream()
            .map(entry -> ReceiptName.parse(entry.key()).orElseThrow().run().begunNanos())
            .toList());
  }

  @Test
  void whatCouldNotBeWrittenForAnErrorIsInTheNextReceipt() throws Exception {
    receipts.acknowledged(STREAM, new ByteRange(0, 100));
    PackGroup tree = PackGroup.begin(1, new SecureRandom());
    receipts.toldTree(new PackId(AGENT, tree, 3));
    clockFails.set(true);
    receipts.writeLast();
    assertEquals(List.of(), written());
    assertTrue(problems.open().getFirst().message().contains("says a test"));
    receipts.writeLast();
    assertTrue(written().getFirst().contains(STREAM), written()::toString);
    assertTrue(written().getFirst().contains("\"" + tree + " 3\""), written()::toString);
    assertEquals(List.of(), problems.open());
    receipts.toldTree(new PackId(AGENT, tree, 4));
    assertTrue(written().getLast().contains("\"" + tree + " 4\""), "told behind the last receipt");
    assertTrue(written().getLast().contains("\"closed\" : true"), written()::toString);
  }

  @Test
  void theFirstIsWrittenBeforeAnEndAndOnlyWhereThereIsNone() throws Exception {
    assertFalse(receipts.hasWritten());
    receipts.writeFirst();
    assertEquals(List.of(), written(), "nothing was acknowledged");
    receipts.acknowledged(STREAM, new ByteRange(0, 100));
    receipts.writeFirst();
    assertTrue(receipts.hasWritten());
    receipts.acknowledged(STREAM, new ByteRange(100, 200));
    receipts.writeFirst();
    assertEquals(1, written().size());
    receipts.writeLast();
    assertEquals(2, written().size());
    assertTrue(written().getFirst().contains("\"closed\" : false"), written()::toString);
  }

  @Test
  void aNumberThatIsTakenIsPassedOver() throws Exception {
    receipts.acknowledged(STREAM, new ByteRange(0, 100));
    occupied.left.set(2);
    receipts.writeLast();
    assertEquals(3, written().size());
    assertTrue(written().getLast().contains(STREAM), written()::toString);
    assertEquals(List.of(), problems.open());
  }

  @Test
  void whereAllNumbersAreTakenTheAttemptEndsAndIsReported() throws Exception {
    receipts.acknowledged(STREAM, new ByteRange(0, 100));
    occupied.left.set(Integer.MAX_VALUE);
    receipts.writeLast();
    assertEquals(ReceiptWriter.MAX_TAKEN, written().size());
    String message = problems.open().getFirst().message();
    assertTrue(message.contains("receipts that this agent does not know"), message);
    occupied.left.set(0);
    receipts.writeLast();
    assertTrue(written().getLast().contains(STREAM), written()::toString);
    assertEquals(List.of(), problems.open());
  }
}
