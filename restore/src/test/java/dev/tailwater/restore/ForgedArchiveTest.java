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
import dev.tailwater.archive.name.PackId;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.seal.SealedSegment;
import dev.tailwater.archive.sign.ObjectSigner;
import dev.tailwater.archive.sign.Trust;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.place.RestoreOptions;
import dev.tailwater.restore.place.RestoreReport;
import dev.tailwater.restore.verify.Verifier;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Signed archives, and somebody who can write to the destination and knows the public keys. What is
 * forged is named and never restored, and an archive that nobody touched raises no alarm.
 */
class ForgedArchiveTest extends RestoreFixture {
  @Test
  void anArchiveThatNobodyTouchedIsAuthenticAndWhole() {
    rounds(
        6,
        (random, target) -> {
          SignedArchive signed = new SignedArchive(random);
          ReadOptions options = signed.options(SignedArchive.trust());
          RestoreReport report = signed.restore(options, target);
          assertEquals(Outcome.DONE, report.outcome());
          assertTrue(
              options.authenticity().findings().isClean(),
              options.authenticity().findings().toString());
          Map<String, byte[]> restored = SignedArchive.filesBelow(target);
          assertEquals(signed.files.keySet(), restored.keySet());
          signed.files.forEach(
              (path, content) -> assertArrayEquals(content, restored.get(path), path));
        });
  }

  /** What somebody does to an archive; returns a word for it. */
  private static String attack(SignedArchive signed, Random random) throws IOException {
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
        forgeSegment(signed, random, Optional.of(SignedArchive.signer(SignedArchive.ATTACKER)));
        yield "a segment with another signature";
      }
      case 4 -> {
        // The key of the other agent is trusted, but not for this one.
        forgeSegment(
            signed, random, Optional.of(SignedArchive.signer(SignedArchive.signingKey("web-2"))));
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
  private static void forgePacks(SignedArchive signed, Random random, List<Recipient> recipients)
      throws IOException {
    TestArchive forging = new TestArchive(signed.archive.destination);
    forging
        .with(new Codec.Zstd(1), recipients)
        .signedBy(SignedArchive.signer(SignedArchive.ATTACKER));
    TestPacks packs = new TestPacks(forging, "web-1", random.nextInt(2) * (1L << 60), recipients);
    for (int number = 0; number < 2; number++) {
      packs.add(
          forging.stream("web-1", PosixPath.of("/web-1/segments-0"), 1, 0), 0, new byte[5000]);
      packs.add(forging.stream("web-1", PosixPath.of("/web-1/new"), 77, 0), 0, new byte[50]);
      packs.deliver();
    }
  }

  /** Adds bytes to a stream of web-1, or replaces what it has. */
  private static void forgeSegment(
      SignedArchive signed, Random random, Optional<ObjectSigner> signer) throws IOException {
    TestArchive forging = new TestArchive(signed.archive.destination);
    forging.with(new Codec.Zstd(1), signed.recipients);
    signer.ifPresent(forging::signedBy);
    TestArchive.TestStream stream =
        forging.stream("web-1", PosixPath.of("/web-1/segments-0"), 1, 0);
    long start = random.nextBoolean() ? 0 : signed.file(pathOf(signed)).length;
    put(forging, stream, start, new byte[1 + random.nextInt(4000)]);
  }

  private static String pathOf(SignedArchive signed) {
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
          SignedArchive signed = new SignedArchive(random);
          String removed = remove(signed, random);
          ReadOptions options = signed.options(SignedArchive.trust());
          signed.restore(options, target);
          Map<String, byte[]> restored = SignedArchive.filesBelow(target);
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

  private static String remove(SignedArchive signed, Random random) throws IOException {
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
  void whatIsForgedIsNamedAndNotRestored() {
    rounds(
        30,
        (random, target) -> {
          SignedArchive signed = new SignedArchive(random);
          String attack = attack(signed, random);
          if (attack.isEmpty()) {
            return;
          }
          ReadOptions options = signed.options(SignedArchive.trust());
          signed.restore(options, target);
          new Verifier(signed.archive.destination, options, RestoreProgress.none())
              .verify(signed.archive.index(options));
          Authenticity.Findings findings = options.authenticity().findings();
          boolean damaged = attack.startsWith("a byte") || attack.startsWith("swap");
          // A changed byte may be one that the format finds before the signature is looked at.
          assertTrue(damaged || !findings.isClean(), attack);
          Map<String, byte[]> restored = SignedArchive.filesBelow(target);
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

  @Test
  void nothingOfPacksIsTakenForAKeyThatHasSignedNoneOfThemWhateverRepeatsThem() {
    rounds(
        6,
        (random, target) -> {
          SignedArchive signed = new SignedArchive(random);
          SignedArchive.AGENTS.forEach(
              agent -> assertDoesNotThrow(() -> signed.addManifest(agent)));
          ReadOptions options = signed.options(Trust.of(SignedArchive.ATTACKER.publicKey()));
          assertEquals(Outcome.FAILED, signed.restore(options, target).outcome());
          assertEquals(Map.of(), SignedArchive.filesBelow(target));
          assertFalse(options.authenticity().findings().isClean());
          assertTrue(signed.archive.index(options).repeatedPacks().isEmpty());
        });
  }

  @Test
  void aManifestThatLiesAboutASignedPackIsNamedAndThePackIsAsked() {
    rounds(
        6,
        (random, target) -> {
          SignedArchive signed = new SignedArchive(random);
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
          ReadOptions options = signed.options(SignedArchive.trust());
          signed.restore(options, target);
          List<String> named =
              options.authenticity().findings().refused().stream()
                  .map(Authenticity.Refused::key)
                  .toList();
          assertEquals(List.of(manifest), named);
          Map<String, byte[]> restored = SignedArchive.filesBelow(target);
          signed.files.forEach(
              (path, content) -> assertArrayEquals(content, restored.get(path), path));
        });
  }

  @Test
  void aForgedPackThatNobodyCanOpenHidesNothing() {
    rounds(
        4,
        (random, target) -> {
          SignedArchive signed = new SignedArchive(random);
          PackName covered =
              signed.keys().stream()
                  .flatMap(key -> PackName.parse(key).stream())
                  .filter(pack -> pack.id().agent().equals("web-1"))
                  .max(Comparator.naturalOrder())
                  .orElseThrow();
          TestArchive forging = new TestArchive(signed.archive.destination);
          List<Recipient> nobody = List.of(KeyPair.generate(new SecureRandom()).recipient());
          forging
              .with(new Codec.Zstd(1), nobody)
              .signedBy(SignedArchive.signer(SignedArchive.ATTACKER));
          TestPacks packs = new TestPacks(forging, "web-1", covered.id().group(), nobody);
          packs.add(forging.stream("web-1", PosixPath.of("/web-1/new"), 77, 0), 0, new byte[50]);
          String forged = packs.deliver();
          byte[] object = signed.read(forged);
          signed.archive.destination.delete(forged);
          PackId all = new PackId("web-1", covered.id().group(), 0, PackId.MAX_SEQUENCE);
          int frontBytes = PackName.parse(forged).orElseThrow().frontBytes();
          signed.put(new PackName(all, frontBytes, true).key(), object);
          ReadOptions options = signed.options(SignedArchive.trust());
          signed.restore(options, target);
          assertEquals(1, options.authenticity().findings().refusedCount());
          Map<String, byte[]> restored = SignedArchive.filesBelow(target);
          signed.files.forEach(
              (path, content) -> assertArrayEquals(content, restored.get(path), path));
        });
  }

  @Test
  void anArchiveWithoutSignaturesIsCountedAndNotTaken() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    archive.stream("/a", 1).segmentAt(0, bytes("abc"));
    archive.stream("/b", 2).segmentAt(0, bytes("def"));
    ReadOptions options =
        TestArchive.options().withAuthenticity(new Authenticity(SignedArchive.trust()));
    RestoreReport report = restore(archive, RestoreOptions.of(options));
    assertEquals(Outcome.FAILED, report.outcome());
    assertEquals(2, options.authenticity().findings().unsignedCount());
    assertEquals(List.of(), options.authenticity().findings().refused());
    assertEquals(Map.of(), SignedArchive.filesBelow(target()));
  }

  @Test
  void aStreamOfWhichOnlyAForgedRecordTellsIsNotMade() throws IOException {
    TestArchive archive = TestArchive.inMemory();
    archive.stream("/a", 1).renamed("/b", 0);
    ReadOptions options =
        TestArchive.options().withAuthenticity(new Authenticity(SignedArchive.trust()));
    restore(archive, RestoreOptions.of(options));
    assertEquals(1, options.authenticity().findings().unsignedCount());
    assertEquals(Map.of(), SignedArchive.filesBelow(target()));
  }
}
