package dev.tailwater.restore;

import dev.tailwater.archive.Codec;
import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.archive.age.Recipient;
import dev.tailwater.archive.manifest.ManifestFormat;
import dev.tailwater.archive.manifest.PackFront;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.archive.name.ManifestName;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.name.ReceiptName;
import dev.tailwater.archive.pack.StreamFact;
import dev.tailwater.archive.record.Acknowledged;
import dev.tailwater.archive.record.Receipt;
import dev.tailwater.archive.record.ReceiptJson;
import dev.tailwater.archive.sign.ObjectSigner;
import dev.tailwater.archive.sign.RecordSignature;
import dev.tailwater.archive.sign.SigningKey;
import dev.tailwater.archive.sign.Trust;
import dev.tailwater.destination.Entry;
import dev.tailwater.destination.Listing;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.place.RestoreOptions;
import dev.tailwater.restore.place.RestoreReport;
import dev.tailwater.restore.place.Restorer;
import dev.tailwater.restore.verify.Verifier;
import dev.tailwater.restore.verify.VerifyReport;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

/**
 * A signed archive of two agents in memory, what its files are, and the keys of whoever writes to
 * it.
 */
final class SignedArchive {
  static final KeyPair KEYS = KeyPair.generate(new SecureRandom());
  static final List<String> AGENTS = List.of("web-1", "web-2");
  static final Map<String, SigningKey> SIGNING =
      Map.of(
          "web-1", SigningKey.generate(new SecureRandom()),
          "web-2", SigningKey.generate(new SecureRandom()));
  static final SigningKey ATTACKER = SigningKey.generate(new SecureRandom());

  final TestArchive archive = TestArchive.inMemory();
  final Map<String, byte[]> files = new HashMap<>();
  final List<Recipient> recipients;
  private long births;

  SignedArchive(Random random) throws IOException {
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

  static Trust trust() {
    StringBuilder lines = new StringBuilder();
    SIGNING.forEach(
        (agent, key) -> lines.append(agent).append(' ').append(key.publicKey()).append('\n'));
    return Trust.parse("keys", lines.toString());
  }

  static SigningKey signingKey(String agent) {
    return Objects.requireNonNull(SIGNING.get(agent));
  }

  static ObjectSigner signer(SigningKey key) {
    return new ObjectSigner(key, () -> 1_700_000_000_000L);
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

  void put(ReceiptName name, Acknowledged acknowledged, boolean closed) throws IOException {
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

  RestoreReport restore(ReadOptions options, Path target) throws IOException {
    return new Restorer(
            RestoreFixture.CALLS,
            archive.destination,
            RestoreOptions.of(options),
            RestoreProgress.none())
        .restore(archive.index(options), PosixPath.of(target));
  }

  VerifyReport verified(ReadOptions options) throws IOException {
    return new Verifier(archive.destination, options, RestoreProgress.none())
        .verify(archive.index(options));
  }

  /** Returns the keys of the packs of directories of an agent. */
  List<String> treePacks(String agent) throws IOException {
    return keys().stream()
        .filter(key -> key.startsWith(PackName.prefix(agent, PackName.Folder.TREE)))
        .toList();
  }

  /** Returns what was restored, by the path that it had. */
  static Map<String, byte[]> filesBelow(Path target) throws IOException {
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
}
