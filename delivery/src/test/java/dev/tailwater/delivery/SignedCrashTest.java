package dev.tailwater.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.RangeSet;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.name.ReceiptName;
import dev.tailwater.archive.open.PackOpener;
import dev.tailwater.archive.open.SegmentOpener;
import dev.tailwater.archive.record.Receipt;
import dev.tailwater.archive.record.ReceiptJson;
import dev.tailwater.archive.sign.RecordSignature;
import dev.tailwater.archive.sign.Trust;
import dev.tailwater.delivery.checkpoint.SigningKeyFile;
import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.config.Signing;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.Entry;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.FaultPlan;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An agent that signs dies at many native calls of one delivery. Whatever it leaves behind is
 * authentic, and holds all that its receipts name; so does what the next agent adds.
 */
@ExtendWith(CrashTrials.class)
class SignedCrashTest {
  private static final int TRIALS = Boolean.getBoolean("tailwater.soak") ? 500 : 14;

  @TempDir Path base;

  private static AgentConfig signing(AgentConfig config) {
    return config.toBuilder().signing(Signing.WITH_KEY_IN_STATE).build();
  }

  private static void live(RotatedLog log, MortalProcess process) throws Exception {
    process.live(
        () -> {
          Destination archive = log.place().openArchive(process.calls(), OpenIntent.WRITE);
          try (TestAgent agent =
              TestAgent.start(signing(log.hastyConfig()), archive, process.calls())) {
            log.deliver(agent, process);
          }
        });
  }

  @ParameterizedTest
  @EnumSource(names = {"SEGMENTS", "PACKS"})
  void noCrashLooksLikeAnAttack(RotatedLog.Way way) throws Exception {
    RotatedLog counted = RotatedLog.begin(base, "counting", way);
    MortalProcess process = new MortalProcess(FaultPlan.none());
    live(counted, process);
    assertEquals(List.of(false, true), closed(assertAuthentic(counted, "without a crash")));
    long calls = process.faulty().callCount();
    int stride = (int) Math.max(1, calls / TRIALS);
    CrashTrials.atEvery(
        stride,
        calls,
        call -> {
          String when = way + ", call " + call + " of " + calls;
          RotatedLog log = RotatedLog.begin(base, way + "-" + call, way);
          live(log, new MortalProcess(FaultPlan.crashAt(call)));
          assertAuthentic(log, when);
          log.finish();
          try (TestAgent agent =
              TestAgent.start(log.place(), signing(log.nextConfig(when)), TestAgent.REAL_CALLS)) {
            assertTrue(agent.drain().leftBehind().isEmpty(), when + ": something is left behind");
          }
          log.assertWhole(log.place().contents(), when);
          assertAuthentic(log, when);
        });
  }

  private static List<Boolean> closed(List<Receipt> receipts) {
    return receipts.stream().map(Receipt::closed).toList();
  }

  /** Returns the receipts of an archive in which everything is signed, and nothing is missing. */
  private static List<Receipt> assertAuthentic(RotatedLog log, String when) throws Exception {
    Path keyFile = log.place().state().resolve(SigningKeyFile.NAME.toString());
    List<Receipt> receipts = new ArrayList<>();
    try (Destination archive = log.place().openArchive(TestAgent.REAL_CALLS, OpenIntent.READ)) {
      List<String> keys =
          archive.list("", Optional.empty(), 1000).entries().stream().map(Entry::key).toList();
      if (!Files.exists(keyFile)) {
        assertEquals(List.of(), keys, when + ": objects without a key");
        return receipts;
      }
      Trust trust =
          Trust.of(SigningKeyFile.read(TestAgent.REAL_CALLS, PosixPath.of(keyFile)).publicKey());
      Map<String, RangeSet> ranges = new HashMap<>();
      Map<PackGroup, RangeSet> packs = new HashMap<>();
      Map<String, Long> records = new HashMap<>();
      for (String key : keys) {
        byte[] object = read(archive, key);
        Optional<PackName> pack = PackName.parse(key);
        Optional<ArchiveObject> name = ArchiveNames.parse(key);
        if (pack.isPresent()) {
          new PackOpener(trust).open(pack.get(), new ByteArrayInputStream(object), List.of());
          packs
              .computeIfAbsent(pack.get().id().group(), _ -> new RangeSet())
              .add(new ByteRange(pack.get().id().first(), pack.get().id().last() + 1L));
        } else if (name.isPresent() && name.get() instanceof ArchiveObject.Segment segment) {
          new SegmentOpener(trust)
              .open(
                  segment,
                  new ByteArrayInputStream(object),
                  List.of(),
                  OutputStream.nullOutputStream());
          ranges.computeIfAbsent(segment.streamPrefix(), _ -> new RangeSet()).add(segment.range());
        } else {
          trust.requireRecord(key, TestAgent.NAME, object);
          name.ifPresent(record -> records.put(record.streamPrefix(), signedAt(object)));
        }
        if (ReceiptName.parse(key).isPresent()) {
          receipts.add(ReceiptJson.read(object, ReceiptName.parse(key).get()));
        }
      }
      for (Receipt receipt : receipts) {
        receipt
            .acknowledged()
            .ranges()
            .forEach(
                (prefix, named) ->
                    named
                        .ranges()
                        .forEach(
                            range ->
                                assertTrue(
                                    ranges.getOrDefault(prefix, new RangeSet()).contains(range),
                                    when + ": " + prefix + range)));
        receipt
            .acknowledged()
            .packs()
            .forEach(
                (group, last) ->
                    assertTrue(
                        packs
                            .getOrDefault(group, new RangeSet())
                            .contains(new ByteRange(0, last + 1L)),
                        when + ": " + group + " up to " + last));
        receipt
            .acknowledged()
            .records()
            .forEach(
                (prefix, atMillis) ->
                    assertTrue(
                        records.getOrDefault(prefix, Long.MIN_VALUE) >= atMillis,
                        when + ": " + prefix));
      }
    }
    return receipts;
  }

  private static long signedAt(byte[] record) {
    return RecordSignature.find(record).orElseThrow().signature().atMillis();
  }

  private static byte[] read(Destination archive, String key) throws IOException {
    try (InputStream object = archive.read(key, 0, Long.MAX_VALUE)) {
      return object.readAllBytes();
    }
  }
}
