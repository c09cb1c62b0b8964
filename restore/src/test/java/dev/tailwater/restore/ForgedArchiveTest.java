package dev.tailwater.restore;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.Codec;
import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.archive.age.Recipient;
import dev.tailwater.archive.manifest.ManifestFormat;
import dev.tailwater.archive.manifest.PackFront;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.archive.name.ManifestName;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.PackId;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.name.ReceiptName;
import dev.tailwater.archive.pack.DirectoryStatement;
import dev.tailwater.archive.pack.StreamFact;
import dev.tailwater.archive.record.Acknowledged;
import dev.tailwater.archive.record.Receipt;
import dev.tailwater.archive.record.ReceiptJson;
import dev.tailwater.archive.seal.SealedSegment;
import dev.tailwater.archive.sign.ObjectSigner;
import dev.tailwater.archive.sign.RecordSignature;
import dev.tailwater.archive.sign.SigningKey;
import dev.tailwater.archive.sign.Trust;
import dev.tailwater.destination.Entry;
import dev.tailwater.destination.Listing;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.list.ArchivedTree;
import dev.tailwater.restore.list.SegmentSource;
import dev.tailwater.restore.place.RestoreOptions;
import dev.tailwater.restore.place.RestoreReport;
import dev.tailwater.restore.place.Restorer;
import dev.tailwater.restore.verify.Verifier;
import dev.tailwater.restore.verify.VerifyReport;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Signed archives, and somebody who can write to the destination and knows the public keys. What is
 * forged is named and never restored, and an archive that nobody touched raises no alarm.
 */
class ForgedArchiveTest extends RestoreFixture {
  private static final KeyPair KEYS = KeyPair.generate(new SecureRandom());
  private static final List<String> AGENTS = List.of("web-1", "web-2");
  private static final Map<String, SigningKey> SIGNING =
      Map.of(
          "web-1", SigningKey.generate(new SecureRandom()),
          "web-2", SigningKey.generate(new SecureRandom()));
  private static final SigningKey ATTACKER = SigningKey.generate(new SecureRandom());

  private static Trust trust() {
    StringBuilder lines = new StringBuilder();
    SIGNING.forEach(
        (agent, key) -> lines.append(agent).append(' ').append(key.publicKey()).append('\n'));
    return Trust.parse("keys", lines.toString());
  }

  private static SigningKey signingKey(String agent) {
    return Objects.requireNonNull(SIGNING.get(agent));
  }

  private static ObjectSigner signer(SigningKey key) {
    return new ObjectSigner(key, () -> 1_700_000_000_000L);
  }

  /** A signed archive of two agents, and what its files are. */
  private static final class Signed {
    final TestArchive archive = TestArchive.inMemory();
    final Map<String, byte[]> files = new HashMap<>();
    final List<Recipient> recipients;
    private long births;

    Signed(Random random) throws IOException {
      recipients = random.nextBoolean() ? List.of(KEYS.recipient()) : List.of();
      Codec codec = random.nextBoolean() ? new Codec.Zstd(1) : new Codec.Gzip(6);
      archive.with(codec, recipients);
      for (String agent : AGENTS) {
        archive.signedBy(signer(signingKey(agent)));
        for (int i = 0; i < 1 + random.nextInt(3); i++) {
          addSegments(agent, i, random);
        }
        addPacks(agent, random);
        if (random.nextBoolean()) {
          addManifest(agent);
        }
        addTrees(agent);
        addReceipts(agent);
      }
    }

    /** Tells directories in two groups, the second of two packs. */
    private void addTrees(String agent) throws IOException {
      for (int group = 1; group <= 2; group++) {
        TestTrees trees = new TestTrees(archive, agent, group * 1_000_000_000L, recipients);
        trees.say(new TestTrees.Directory("/" + agent, "empty").link("link", "to" + group));
        trees.deliver(true, 1_700_000_000_000L);
        if (group == 2) {
          trees.say(new TestTrees.Directory("/" + agent + "/empty").mode(0700));
          trees.deliver(false, 1_700_000_001_000L);
        }
      }
    }

    /** Repeats the beginnings of all packs of an agent. Nobody signs that. */
    String addManifest(String agent) throws IOException {
      List<PackFront> fronts = new ArrayList<>();
      for (String key : keys()) {
        Optional<PackName> pack = PackName.parse(key).filter(one -> one.id().agent().equals(agent));
        if (pack.isPresent()) {
          fronts.add(PackFront.of(pack.get(), ByteBuffer.wrap(read(key))));
        }
      }
      ManifestName name = ManifestName.of(agent, ++births, new SecureRandom());
      put(name.key(), ManifestFormat.encode(fronts));
      return name.key();
    }

    /** Says what is there, in two receipts. */
    private void addReceipts(String agent) throws IOException {
      PackGroup run = PackGroup.begin(++births, new SecureRandom());
      Acknowledged streams = new Acknowledged();
      Acknowledged packs = new Acknowledged();
      for (String key : keys()) {
        PackName.parse(key)
            .filter(pack -> pack.id().agent().equals(agent))
            .ifPresent(pack -> packs.add(pack.id()));
        PackName.parse(key, PackName.Folder.TREE)
            .filter(pack -> pack.id().agent().equals(agent))
            .ifPresent(pack -> packs.addTree(pack.id().group(), pack.id().last()));
        Optional<ArchiveObject> object =
            ArchiveNames.parse(key).filter(found -> found.agent().equals(agent));
        if (object.isPresent() && object.get() instanceof ArchiveObject.Segment segment) {
          streams.add(segment.streamPrefix(), segment.range());
        } else if (object.isPresent()) {
          long atMillis = RecordSignature.find(read(key)).orElseThrow().signature().atMillis();
          streams.add(object.get().streamPrefix(), atMillis);
        }
      }
      put(new ReceiptName(agent, run, 0, 0), streams, false);
      put(new ReceiptName(agent, run, 1, 1), packs, true);
    }

    private void put(ReceiptName name, Acknowledged acknowledged, boolean closed)
        throws IOException {
      byte[] json =
          ReceiptJson.write(
              new Receipt(name, Optional.empty(), 1_700_000_000_000L, closed, acknowledged));
      put(name.key(), RecordSignature.add(json, name.key(), archive.signer.orElseThrow()));
    }

    byte[] file(String path) {
      return files.getOrDefault(path, new byte[0]);
    }

    private TestArchive.TestStream stream(String agent, String name) {
      births++;
      return archive.stream(agent, PosixPath.of("/" + agent + "/" + name), births, 0);
    }

    private void addSegments(String agent, int number, Random random) throws IOException {
      byte[] content = bytes(random, 1 + random.nextInt(3000));
      TestArchive.TestStream stream = stream(agent, "segments-" + number);
      int cut = random.nextInt(content.length);
      if (cut > 0) {
        stream.segment(content, 0, cut);
      }
      stream.segment(content, cut, content.length);
      String path = stream.birthPath.toString();
      if (random.nextBoolean()) {
        path += ".moved";
        stream.renamed(path, content.length);
      }
      files.put(path, content);
    }

    private void addPacks(String agent, Random random) throws IOException {
      TestPacks packs = new TestPacks(archive, agent, births * 1_000_000_000L, recipients);
      List<TestArchive.TestStream> streams = new ArrayList<>();
      for (int i = 0; i < 1 + random.nextInt(3); i++) {
        streams.add(stream(agent, "packs-" + i));
      }
      int count = 2 + random.nextInt(3);
      for (int pack = 0; pack < count; pack++) {
        for (TestArchive.TestStream stream : streams) {
          String path = stream.birthPath.toString();
          byte[] before = files.getOrDefault(path, new byte[0]);
          byte[] more = bytes(random, 1 + random.nextInt(500));
          packs.add(stream, before.length, more);
          files.put(path, joined(before, more));
        }
        packs.say(new StreamFact.ChangedInPlace(0, false));
        packs.deliver();
      }
      if (random.nextBoolean()) {
        packs.merge(0, 2, List.of(KEYS.identity()), random.nextBoolean());
      }
    }

    private static byte[] joined(byte[] first, byte[] second) {
      byte[] all = Arrays.copyOf(first, first.length + second.length);
      System.arraycopy(second, 0, all, first.length, second.length);
      return all;
    }

    private static byte[] bytes(Random random, int length) {
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      return bytes;
    }

    List<String> keys() throws IOException {
      Listing listing = archive.destination.list("", Optional.empty(), 1000);
      return listing.entries().stream().map(Entry::key).toList();
    }

    byte[] read(String key) throws IOException {
      try (InputStream object = archive.destination.read(key, 0, Long.MAX_VALUE)) {
        return object.readAllBytes();
      }
    }

    void put(String key, byte[] content) throws IOException {
      archive.destination.putObject(key, content);
    }

    ReadOptions options(Trust trust) {
      return TestArchive.options()
          .withIdentities(recipients.isEmpty() ? List.of() : List.of(KEYS.identity()))
          .withAuthenticity(new Authenticity(trust));
    }
  }

  private RestoreReport restore(Signed signed, ReadOptions options, Path target)
      throws IOException {
    return new Restorer(
            CALLS, signed.archive.destination, RestoreOptions.of(options), RestoreProgress.none())
        .restore(signed.archive.index(options), PosixPath.of(target));
  }

  private static Map<String, byte[]> filesBelow(Path target) throws IOException {
    Map<String, byte[]> files = new HashMap<>();
    if (Files.exists(target)) {
      try (Stream<Path> walk = Files.walk(target)) {
        for (Path file : walk.filter(Files::isRegularFile).toList()) {
          // The files of several agents are below a directory for each.
          Path relative = target.relativize(file);
          String path = "/" + relative.subpath(1, relative.getNameCount());
          files.put(path, Files.readAllBytes(file));
        }
      }
    }
    return files;
  }

  @Test
  void anArchiveThatNobodyTouchedIsAuthenticAndWhole() {
    rounds(
        6,
        (random, target) -> {
          Signed signed = new Signed(random);
          ReadOptions options = signed.options(trust());
          RestoreReport report = restore(signed, options, target);
          assertEquals(Outcome.DONE, report.outcome());
          assertTrue(
              options.authenticity().findings().isClean(),
              options.authenticity().findings().toString());
          Map<String, byte[]> restored = filesBelow(target);
          assertEquals(signed.files.keySet(), restored.keySet());
          signed.files.forEach(
              (path, content) -> assertArrayEquals(content, restored.get(path), path));
        });
  }

  /** What somebody does to an archive; returns a word for it. */
  private static String attack(Signed signed, Random random) throws IOException {
    List<String> keys = signed.keys();
    String key = keys.get(random.nextInt(keys.size()));
    return switch (random.nextInt(8)) {
      case 0 -> {
        byte[] bytes = signed.read(key);
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 + random.nextInt(255));
        signed.put(key, bytes);
        yield "a byte of " + key;
      }
      case 1 -> {
        String other = keys.get(random.nextInt(keys.size()));
        byte[] bytes = signed.read(key);
        byte[] others = signed.read(other);
        signed.put(key, others);
        signed.put(other, bytes);
        yield Arrays.equals(bytes, others) ? "" : "swap " + key + " and " + other;
      }
      case 2 -> {
        forgeSegment(signed, random, Optional.empty());
        yield "an unsigned segment";
      }
      case 3 -> {
        forgeSegment(signed, random, Optional.of(signer(ATTACKER)));
        yield "a segment with another signature";
      }
      case 4 -> {
        // The key of the other agent is trusted, but not for this one.
        forgeSegment(signed, random, Optional.of(signer(signingKey("web-2"))));
        yield "a segment that another agent has signed";
      }
      case 5 -> {
        forgePacks(signed, random, signed.recipients);
        signed.addManifest("web-1");
        yield "packs with another signature, and a manifest of them";
      }
      case 6 -> {
        forgePacks(signed, random, signed.recipients);
        yield "packs with another signature";
      }
      default -> {
        String drain = ArchiveNames.lastDrain("web-1");
        signed.put(
            drain,
            "{\"format\":1,\"agent\":\"web-1\",\"atMillis\":7,\"streams\":[]}"
                .getBytes(StandardCharsets.US_ASCII));
        yield "what is left behind";
      }
    };
  }

  /** Adds packs that somebody else has signed: of a file that is there, and of a new one. */
  private static void forgePacks(Signed signed, Random random, List<Recipient> recipients)
      throws IOException {
    TestArchive forging = new TestArchive(signed.archive.destination);
    forging.with(new Codec.Zstd(1), recipients).signedBy(signer(ATTACKER));
    TestPacks packs = new TestPacks(forging, "web-1", random.nextInt(2) * (1L << 60), recipients);
    for (int number = 0; number < 2; number++) {
      packs.add(
          forging.stream("web-1", PosixPath.of("/web-1/segments-0"), 1, 0), 0, new byte[5000]);
      packs.add(forging.stream("web-1", PosixPath.of("/web-1/new"), 77, 0), 0, new byte[50]);
      packs.deliver();
    }
  }

  /** Adds bytes to a stream of web-1, or replaces what it has. */
  private static void forgeSegment(Signed signed, Random random, Optional<ObjectSigner> signer)
      throws IOException {
    TestArchive forging = new TestArchive(signed.archive.destination);
    forging.with(new Codec.Zstd(1), signed.recipients);
    signer.ifPresent(forging::signedBy);
    TestArchive.TestStream stream =
        forging.stream("web-1", PosixPath.of("/web-1/segments-0"), 1, 0);
    long start = random.nextBoolean() ? 0 : signed.file(pathOf(signed)).length;
    put(forging, stream, start, new byte[1 + random.nextInt(4000)]);
  }

  private static String pathOf(Signed signed) {
    return signed.files.containsKey("/web-1/segments-0")
        ? "/web-1/segments-0"
        : "/web-1/segments-0.moved";
  }

  /** Puts a segment even where there is one. */
  private static void put(
      TestArchive forging, TestArchive.TestStream stream, long start, byte[] content)
      throws IOException {
    SealedSegment sealed = stream.seal(start, content);
    int end = sealed.from() + sealed.lengthBytes();
    forging.destination.putObject(
        sealed.key(), Arrays.copyOfRange(sealed.staging(), sealed.from(), end));
  }

  @Test
  void whatIsRemovedIsNamedUnlessItsBytesAreElsewhere() {
    rounds(
        20,
        (random, target) -> {
          Signed signed = new Signed(random);
          String removed = remove(signed, random);
          ReadOptions options = signed.options(trust());
          restore(signed, options, target);
          Map<String, byte[]> restored = filesBelow(target);
          boolean whole =
              restored.keySet().equals(signed.files.keySet())
                  && signed.files.entrySet().stream()
                      .allMatch(
                          file -> Arrays.equals(file.getValue(), restored.get(file.getKey())));
          boolean isReceipt = removed.contains("~receipts");
          boolean isTree = removed.contains("~tree");
          boolean named = !options.authenticity().findings().isClean();
          // Without its last receipt, a run looks as if it were still under way.
          assertTrue(named || (whole && !isReceipt && !isTree) || isLastReceipt(removed), removed);
          assertTrue(options.authenticity().notes().size() == 2, removed);
        });
  }

  private static boolean isLastReceipt(String removed) {
    return removed.endsWith("00000001-00000001.json");
  }

  private static String remove(Signed signed, Random random) throws IOException {
    List<String> keys = signed.keys();
    String key = keys.get(random.nextInt(keys.size()));
    Optional<ArchiveObject> object = ArchiveNames.parse(key);
    boolean all = random.nextBoolean() && object.isPresent();
    for (String one : keys) {
      if (one.equals(key) || (all && one.startsWith(object.get().streamPrefix()))) {
        signed.archive.destination.delete(one);
      }
    }
    return key;
  }

  @Test
  void anOlderRecordIsNamed() throws IOException {
    Signed signed = new Signed(new Random(1));
    TestArchive.TestStream stream =
        signed.archive.signedBy(signer(signingKey("web-1"))).stream("/x", 99);
    stream.renamed("/y", 0);
    String key = ArchiveNames.streamObject(stream.prefix);
    byte[] older = signed.read(key);
    signed.archive.signedBy(new ObjectSigner(signingKey("web-1"), () -> 1_700_000_009_000L));
    stream.renamed("/z", 0);
    Acknowledged latest = new Acknowledged();
    latest.add(
        stream.prefix, RecordSignature.find(signed.read(key)).orElseThrow().signature().atMillis());
    PackGroup run = PackGroup.begin(1L << 60, new SecureRandom());
    signed.put(new ReceiptName("web-1", run, 0, 0), latest, false);
    ReadOptions whole = signed.options(trust());
    signed.archive.index(whole);
    assertTrue(whole.authenticity().findings().isClean());
    signed.put(key, older);
    ReadOptions replayed = signed.options(trust());
    signed.archive.index(replayed);
    assertEquals(
        List.of(key + " is an older one than the agent's last"),
        replayed.authenticity().findings().incomplete());
  }

  @Test
  void anAgentOfWhichNothingIsThereIsNamed() throws IOException {
    Signed signed = new Signed(new Random(2));
    for (String key : signed.keys()) {
      if (key.startsWith("web-2/")) {
        signed.archive.destination.delete(key);
      }
    }
    ReadOptions options = signed.options(trust());
    signed.archive.index(options);
    assertEquals(
        List.of("agent web-2 is trusted, and nothing of it is there"),
        options.authenticity().findings().incomplete());
  }

  @Test
  void whatIsForgedIsNamedAndNotRestored() {
    rounds(
        30,
        (random, target) -> {
          Signed signed = new Signed(random);
          String attack = attack(signed, random);
          if (attack.isEmpty()) {
            return;
          }
          ReadOptions options = signed.options(trust());
          restore(signed, options, target);
          new Verifier(signed.archive.destination, options, RestoreProgress.none())
              .verify(signed.archive.index(options));
          Authenticity.Findings findings = options.authenticity().findings();
          boolean damaged = attack.startsWith("a byte") || attack.startsWith("swap");
          // A changed byte may be one that the format finds before the signature is looked at.
          assertTrue(damaged || !findings.isClean(), attack);
          Map<String, byte[]> restored = filesBelow(target);
          restored.forEach(
              (path, content) -> {
                String unmoved = path.replace(".moved", "");
                String known = signed.files.containsKey(unmoved) ? unmoved : unmoved + ".moved";
                assertTrue(signed.files.containsKey(known), attack + " made " + path);
                byte[] expected = signed.file(known);
                for (int i = 0; i < content.length; i++) {
                  boolean right = i < expected.length && content[i] == expected[i];
                  assertTrue(right || content[i] == 0, attack + " changed " + path + " at " + i);
                }
              });
        });
  }

  private static VerifyReport verified(Signed signed, ReadOptions options) throws IOException {
    return new Verifier(signed.archive.destination, options, RestoreProgress.none())
        .verify(signed.archive.index(options));
  }

  private static List<String> treePacks(Signed signed, String agent) throws IOException {
    return signed.keys().stream()
        .filter(key -> key.startsWith(PackName.prefix(agent, PackName.Folder.TREE)))
        .toList();
  }

  private static void putEnd(Signed signed, long atMillis) throws IOException {
    putEnd(signed, atMillis, "");
  }

  private static void putEnd(Signed signed, long atMillis, String more) throws IOException {
    String key = ArchiveNames.lastDrain("web-1");
    byte[] json =
        ("{\"format\":1,\"agent\":\"web-1\",\"atMillis\":"
                + atMillis
                + ",\"streams\":[]"
                + more
                + "}")
            .getBytes(StandardCharsets.US_ASCII);
    signed.put(key, RecordSignature.add(json, key, signer(signingKey("web-1"))));
  }

  @Test
  void receiptsOfAnAgentThatHasEndedAreMissedEvenIfAllOfThemAreGone() throws IOException {
    Signed signed = new Signed(new Random(4));
    for (String key : signed.keys()) {
      if (key.startsWith(ReceiptName.prefix("web-1"))) {
        signed.archive.destination.delete(key);
      }
    }
    ReadOptions running = signed.options(trust());
    signed.archive.index(running);
    assertTrue(running.authenticity().findings().isClean(), "it may have been killed at once");
    putEnd(signed, 1_700_000_000_000L);
    ReadOptions ended = signed.options(trust());
    signed.archive.index(ended);
    List<String> incomplete = ended.authenticity().findings().incomplete();
    assertEquals(1, incomplete.size());
    assertTrue(
        incomplete.getFirst().startsWith("of agent web-1, all receipts are missing"),
        incomplete::toString);
    putEnd(signed, 1_700_000_000_000L, ",\"receipt\":true");
    ReadOptions withOne = signed.options(trust());
    signed.archive.index(withOne);
    assertEquals(incomplete, withOne.authenticity().findings().incomplete());
    putEnd(signed, 1_700_000_000_000L, ",\"receipt\":false");
    ReadOptions beforeTheFirst = signed.options(trust());
    signed.archive.index(beforeTheFirst);
    assertTrue(beforeTheFirst.authenticity().findings().isClean(), "killed before the first");
  }

  @Test
  void anEndAfterTheLastReceiptIsRemarkedOn() throws IOException {
    Signed signed = new Signed(new Random(5));
    putEnd(signed, 1_700_000_000_000L);
    ReadOptions together = signed.options(trust());
    signed.archive.index(together);
    assertFalse(together.authenticity().notes().toString().contains("without a receipt"));
    putEnd(signed, 1_700_000_060_000L);
    ReadOptions later = signed.options(trust());
    signed.archive.index(later);
    assertTrue(later.authenticity().notes().toString().contains("without a receipt"));
    assertTrue(later.authenticity().findings().isClean());
  }

  @Test
  void whateverIsDoneToPacksOfDirectoriesIsNamedByVerify() {
    rounds(
        4,
        (random, target) -> {
          for (int attack = 0; attack < 6; attack++) {
            Signed signed = new Signed(random);
            List<String> trees = treePacks(signed, "web-1");
            String key = trees.get(random.nextInt(trees.size()));
            byte[] object = signed.read(key);
            switch (attack) {
              case 0 -> signed.put(key, bytes("rubbish"));
              case 1 -> signed.put(key, Arrays.copyOf(object, object.length + 1));
              case 2 -> signed.put(key, Arrays.copyOf(object, object.length - 1));
              case 3 -> signed.put(key, signed.read(treePacks(signed, "web-2").getFirst()));
              case 4 -> signed.archive.destination.delete(key);
              default -> {
                TestArchive forging = new TestArchive(signed.archive.destination);
                forging.with(new Codec.Zstd(1), signed.recipients).signedBy(signer(ATTACKER));
                new TestTrees(forging, "web-1", 5_000_000_000L, signed.recipients)
                    .say(new TestTrees.Directory("/web-1").link("link", "/etc/passwd"))
                    .deliver(true, 1_700_000_005_000L);
              }
            }
            ReadOptions options = signed.options(trust());
            VerifyReport report = verified(signed, options);
            boolean named = !options.authenticity().findings().isClean();
            assertTrue(named || report.outcome() == Outcome.PARTIAL, attack + ": " + key);
            assertTrue(attack == 4 || !report.trees().isEmpty(), attack + ": " + key);
            // Without keys, what is damaged is found all the same.
            VerifyReport unchecked = verified(signed, signed.options(Trust.none()));
            assertTrue(attack > 3 || unchecked.outcome() == Outcome.PARTIAL, attack + ": " + key);
          }
        });
  }

  @Test
  void aForgedPackAmongThoseOfDirectoriesHidesNoneOfThem() throws IOException {
    Signed signed = new Signed(new Random(3));
    String first = treePacks(signed, "web-1").get(1);
    PackName name = PackName.parse(first, PackName.Folder.TREE).orElseThrow();
    PackName before = new PackName(name.id(), 1, name.encrypted(), PackName.Folder.TREE);
    signed.put(before.key(), bytes("not signed, and in front of the other one"));
    ReadOptions options = signed.options(trust());
    ArchivedTree tree =
        ArchivedTree.read(
                new SegmentSource(signed.archive.destination, options),
                signed.archive.index(options))
            .getFirst();
    DirectoryStatement.Contents told =
        Objects.requireNonNull(tree.directories().get(PosixPath.of("/web-1")));
    assertEquals(PosixPath.of("to2"), told.links().getFirst().target());
    assertEquals(0700, mode(tree, "/web-1/empty"));
  }

  private static int mode(ArchivedTree tree, String path) {
    return Objects.requireNonNull(tree.directories().get(PosixPath.of(path)))
        .attributes()
        .permissions();
  }

  @Test
  void nothingOfPacksIsTakenForAKeyThatHasSignedNoneOfThemWhateverRepeatsThem() {
    rounds(
        6,
        (random, target) -> {
          Signed signed = new Signed(random);
          AGENTS.forEach(agent -> assertDoesNotThrow(() -> signed.addManifest(agent)));
          ReadOptions options = signed.options(Trust.of(ATTACKER.publicKey()));
          assertEquals(Outcome.FAILED, restore(signed, options, target).outcome());
          assertEquals(Map.of(), filesBelow(target));
          assertFalse(options.authenticity().findings().isClean());
          assertTrue(signed.archive.index(options).repeatedPacks().isEmpty());
        });
  }

  @Test
  void aManifestThatLiesAboutASignedPackIsNamedAndThePackIsAsked() {
    rounds(
        6,
        (random, target) -> {
          Signed signed = new Signed(random);
          String manifest = signed.addManifest("web-1");
          List<PackFront> lies = new ArrayList<>();
          ManifestName name = ManifestName.parse(manifest).orElseThrow();
          for (PackFront front : ManifestFormat.decode(name, signed.read(manifest))) {
            byte[] bytes = front.bytes().clone();
            String text = new String(bytes, StandardCharsets.ISO_8859_1);
            int at = text.indexOf("-> tailwater-signature ") + 25;
            // In the key's name or the signed time: everything else is what it was.
            at = signed.recipients.isEmpty() ? bytes.length - 80 : at;
            bytes[at] = (byte) (bytes[at] == '0' ? '1' : '0');
            lies.add(new PackFront(front.name(), front.objectBytes(), bytes));
          }
          for (String key : signed.keys()) {
            if (ManifestName.parse(key).isPresent()) {
              signed.archive.destination.delete(key);
            }
          }
          signed.put(manifest, ManifestFormat.encode(lies));
          ReadOptions options = signed.options(trust());
          restore(signed, options, target);
          List<String> named =
              options.authenticity().findings().refused().stream()
                  .map(Authenticity.Refused::key)
                  .toList();
          assertEquals(List.of(manifest), named);
          Map<String, byte[]> restored = filesBelow(target);
          signed.files.forEach(
              (path, content) -> assertArrayEquals(content, restored.get(path), path));
        });
  }

  @Test
  void aForgedPackThatNobodyCanOpenHidesNothing() {
    rounds(
        4,
        (random, target) -> {
          Signed signed = new Signed(random);
          PackName covered =
              signed.keys().stream()
                  .flatMap(key -> PackName.parse(key).stream())
                  .filter(pack -> pack.id().agent().equals("web-1"))
                  .max(Comparator.naturalOrder())
                  .orElseThrow();
          TestArchive forging = new TestArchive(signed.archive.destination);
          List<Recipient> nobody = List.of(KeyPair.generate(new SecureRandom()).recipient());
          forging.with(new Codec.Zstd(1), nobody).signedBy(signer(ATTACKER));
          TestPacks packs = new TestPacks(forging, "web-1", covered.id().group(), nobody);
          packs.add(forging.stream("web-1", PosixPath.of("/web-1/new"), 77, 0), 0, new byte[50]);
          String forged = packs.deliver();
          byte[] object = signed.read(forged);
          signed.archive.destination.delete(forged);
          PackId all = new PackId("web-1", covered.id().group(), 0, PackId.MAX_SEQUENCE);
          int frontBytes = PackName.parse(forged).orElseThrow().frontBytes();
          signed.put(new PackName(all, frontBytes, true).key(), object);
          ReadOptions options = signed.options(trust());
          restore(signed, options, target);
          assertEquals(1, options.authenticity().findings().refusedCount());
          Map<String, byte[]> restored = filesBelow(target);
          signed.files.forEach(
              (path, content) -> assertArrayEquals(content, restored.get(path), path));
        });
  }

  @Test
  void anArchiveWithoutSignaturesIsCountedAndNotTaken() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    archive.stream("/a", 1).segmentAt(0, bytes("abc"));
    archive.stream("/b", 2).segmentAt(0, bytes("def"));
    ReadOptions options = TestArchive.options().withAuthenticity(new Authenticity(trust()));
    RestoreReport report = restore(archive, RestoreOptions.of(options));
    assertEquals(Outcome.FAILED, report.outcome());
    assertEquals(2, options.authenticity().findings().unsignedCount());
    assertEquals(List.of(), options.authenticity().findings().refused());
    assertEquals(Map.of(), filesBelow(target()));
  }

  @Test
  void aStreamOfWhichOnlyAForgedRecordTellsIsNotMade() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    archive.stream("/a", 1).renamed("/b", 0);
    ReadOptions options = TestArchive.options().withAuthenticity(new Authenticity(trust()));
    restore(archive, RestoreOptions.of(options));
    assertEquals(1, options.authenticity().findings().unsignedCount());
    assertEquals(Map.of(), filesBelow(target()));
  }
}
