package dev.tailwater.restore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.ReceiptName;
import dev.tailwater.archive.pack.StreamFact;
import dev.tailwater.archive.record.Acknowledged;
import dev.tailwater.archive.sign.ObjectSigner;
import dev.tailwater.archive.sign.RecordSignature;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.ForwardingDestination;
import dev.tailwater.destination.Listing;
import dev.tailwater.restore.list.ArchiveIndex;
import dev.tailwater.restore.list.Selection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * What only records say of a signed archive: that a run has ended, what it was acknowledged, and
 * which record of a stream is the last.
 */
class SignedRecordsTest {
  private static void putEnd(SignedArchive signed, long atMillis) throws IOException {
    putEnd(signed, atMillis, "");
  }

  private static void putEnd(SignedArchive signed, long atMillis, String more) throws IOException {
    String key = ArchiveNames.lastDrain("web-1");
    byte[] json =
        ("{\"format\":1,\"agent\":\"web-1\",\"atMillis\":"
                + atMillis
                + ",\"streams\":[]"
                + more
                + "}")
            .getBytes(StandardCharsets.US_ASCII);
    signed.put(
        key,
        RecordSignature.add(json, key, SignedArchive.signer(SignedArchive.signingKey("web-1"))));
  }

  @Test
  void anOlderRecordIsNamed() throws IOException {
    SignedArchive signed = new SignedArchive(new Random(1));
    TestArchive.TestStream stream =
        signed.archive.signedBy(SignedArchive.signer(SignedArchive.signingKey("web-1"))).stream(
            "/x", 99);
    stream.renamed("/y", 0);
    String key = ArchiveNames.streamObject(stream.prefix);
    byte[] older = signed.read(key);
    signed.archive.signedBy(
        new ObjectSigner(SignedArchive.signingKey("web-1"), () -> 1_700_000_009_000L));
    stream.renamed("/z", 0);
    Acknowledged latest = new Acknowledged();
    latest.add(
        stream.prefix, RecordSignature.find(signed.read(key)).orElseThrow().signature().atMillis());
    PackGroup run = PackGroup.begin(1L << 60, new SecureRandom());
    signed.put(new ReceiptName("web-1", run, 0, 0), latest, false);
    ReadOptions whole = signed.options(SignedArchive.trust());
    signed.archive.index(whole);
    assertTrue(whole.authenticity().findings().isClean());
    signed.put(key, older);
    ReadOptions replayed = signed.options(SignedArchive.trust());
    signed.archive.index(replayed);
    assertEquals(
        List.of(key + " is an older one than the agent's last"),
        replayed.authenticity().findings().incomplete());
  }

  @Test
  void anAgentOfWhichNothingIsThereIsNamed() throws IOException {
    SignedArchive signed = new SignedArchive(new Random(2));
    for (String key : signed.keys()) {
      if (key.startsWith("web-2/")) {
        signed.archive.destination.delete(key);
      }
    }
    ReadOptions options = signed.options(SignedArchive.trust());
    signed.archive.index(options);
    assertEquals(
        List.of("agent web-2 is trusted, and nothing of it is there"),
        options.authenticity().findings().incomplete());
  }

  @Test
  void receiptsOfAnAgentThatHasEndedAreMissedEvenIfAllOfThemAreGone() throws IOException {
    SignedArchive signed = new SignedArchive(new Random(4));
    for (String key : signed.keys()) {
      if (key.startsWith(ReceiptName.prefix("web-1"))) {
        signed.archive.destination.delete(key);
      }
    }
    ReadOptions running = signed.options(SignedArchive.trust());
    signed.archive.index(running);
    assertTrue(running.authenticity().findings().isClean(), "it may have been killed at once");
    putEnd(signed, 1_700_000_000_000L);
    ReadOptions ended = signed.options(SignedArchive.trust());
    signed.archive.index(ended);
    List<String> incomplete = ended.authenticity().findings().incomplete();
    assertEquals(1, incomplete.size());
    assertTrue(
        incomplete.getFirst().startsWith("of agent web-1, all receipts are missing"),
        incomplete::toString);
    putEnd(signed, 1_700_000_000_000L, ",\"receipt\":true");
    ReadOptions withOne = signed.options(SignedArchive.trust());
    signed.archive.index(withOne);
    assertEquals(incomplete, withOne.authenticity().findings().incomplete());
    putEnd(signed, 1_700_000_000_000L, ",\"receipt\":false");
    ReadOptions beforeTheFirst = signed.options(SignedArchive.trust());
    signed.archive.index(beforeTheFirst);
    assertTrue(beforeTheFirst.authenticity().findings().isClean(), "killed before the first");
  }

  @Test
  void anEndAfterTheLastReceiptIsRemarkedOn() throws IOException {
    SignedArchive signed = new SignedArchive(new Random(5));
    putEnd(signed, 1_700_000_000_000L);
    ReadOptions together = signed.options(SignedArchive.trust());
    signed.archive.index(together);
    assertFalse(together.authenticity().notes().toString().contains("without a receipt"));
    putEnd(signed, 1_700_000_060_000L);
    ReadOptions later = signed.options(SignedArchive.trust());
    signed.archive.index(later);
    assertTrue(later.authenticity().notes().toString().contains("without a receipt"));
    assertTrue(later.authenticity().findings().isClean());
  }

  /** The agent delivers something between the listing and its receipt. */
  @Test
  void whatPacksHaveAndExplainIsNotMissedWhileAnAgentRuns() throws IOException {
    SignedArchive signed = new SignedArchive(new Random(6));
    signed.archive.signedBy(SignedArchive.signer(SignedArchive.signingKey("web-1")));
    TestArchive.TestStream packed = signed.archive.stream("/packed", 97);
    TestPacks packs = new TestPacks(signed.archive, "web-1", 1L << 59, signed.recipients);
    packs.add(packed, 0, Bytes.text("0123456789"));
    packs
        .say(new StreamFact.Missing(packs.number(packed), new ByteRange(10, 20), "truncated", 1))
        .deliver();
    TestArchive.TestStream growing = signed.archive.stream("/growing", 98);
    String late = growing.segmentAt(0, Bytes.text("x"));
    Acknowledged delivered = new Acknowledged();
    delivered.add(packed.prefix, new ByteRange(0, 20));
    delivered.add(growing.prefix, new ByteRange(0, 1));
    PackGroup run = PackGroup.begin(1L << 60, new SecureRandom());
    signed.put(new ReceiptName("web-1", run, 0, 0), delivered, false);
    ReadOptions options = signed.options(SignedArchive.trust());
    AtomicInteger listings = new AtomicInteger();
    Destination running =
        new ForwardingDestination(signed.archive.destination) {
          @Override
          public Listing list(String prefix, Optional<String> afterKey, int maxEntries)
              throws DestinationException {
            Listing page = real().list(prefix, afterKey, maxEntries);
            return listings.incrementAndGet() > 1
                ? page
                : new Listing(
                    page.entries().stream().filter(entry -> !entry.key().equals(late)).toList(),
                    page.more());
          }
        };

    ArchiveIndex.load(running, Selection.everything(), options, RestoreProgress.none());

    assertEquals(2, listings.get());
    assertEquals(List.of(), options.authenticity().findings().incomplete());
  }
}
