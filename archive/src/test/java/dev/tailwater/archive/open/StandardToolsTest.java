package dev.tailwater.archive.open;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.Codec;
import dev.tailwater.archive.DamagedSegmentException;
import dev.tailwater.archive.age.Identity;
import dev.tailwater.archive.age.IdentityFile;
import dev.tailwater.archive.age.KeyPair;
import dev.tailwater.archive.age.Recipient;
import dev.tailwater.archive.header.HeaderEnvelope;
import dev.tailwater.archive.header.HeaderFormat;
import dev.tailwater.archive.header.SegmentHeader;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.PackId;
import dev.tailwater.archive.pack.PackedStream;
import dev.tailwater.archive.seal.PackSealer;
import dev.tailwater.archive.seal.SealedPack;
import dev.tailwater.archive.sign.ObjectSigner;
import dev.tailwater.archive.sign.SigningKey;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real zstd, gzip and age open what is sealed here, and what they write opens here. */
class StandardToolsTest {
  private static final int[] SIZES = {1, 1000, 65535, 65536, 65537, 3 * 1024 * 1024 + 1};

  @TempDir private Path directory = Path.of("");

  private static void need(String program) {
    boolean found =
        Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":"))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    Assumptions.assumeTrue(found, "the program " + program + " is not installed");
  }

  private byte[] run(byte[] input, String... command) throws IOException, InterruptedException {
    Path in = Files.write(directory.resolve("in"), input);
    Path out = directory.resolve("out");
    Path error = directory.resolve("error");
    Process process =
        new ProcessBuilder(command)
            .redirectInput(in.toFile())
            .redirectOutput(out.toFile())
            .redirectError(error.toFile())
            .start();
    assertTrue(process.waitFor(60, TimeUnit.SECONDS), "takes too long: " + List.of(command));
    assertEquals(0, process.exitValue(), () -> List.of(command) + ": " + read(error));
    return Files.readAllBytes(out);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException unreadable) {
      return unreadable.toString();
    }
  }

  private Path identityFile(KeyPair keys) throws IOException {
    return Files.writeString(directory.resolve("key"), keys.toFileText(Instant.EPOCH));
  }

  private static List<byte[]> contents() {
    List<byte[]> contents = new ArrayList<>();
    for (int size : SIZES) {
      contents.add(Segments.lines(size, size));
      contents.add(Segments.random(size, size));
    }
    return contents;
  }

  @Test
  void zstdOpensWhatIsSealed() throws Exception {
    need("zstd");
    for (byte[] raw : contents()) {
      for (Codec codec : List.of(new Codec.Zstd(-7), new Codec.Zstd(1), new Codec.Store())) {
        Segments.Sealed sealed = Segments.seal(codec, List.of(), 0, raw);
        assertArrayEquals(raw, run(sealed.object(), "zstd", "-dc"));
        run(sealed.object(), "zstd", "-tq");
      }
    }
  }

  @Test
  void gzipOpensWhatIsSealed() throws Exception {
    need("gzip");
    for (byte[] raw : contents()) {
      Segments.Sealed sealed = Segments.seal(new Codec.Gzip(6), List.of(), 0, raw);
      assertArrayEquals(raw, run(sealed.object(), "gzip", "-dc"));
      run(sealed.object(), "gzip", "-t");
    }
  }

  @Test
  void ageAndThenZstdOpenWhatIsSealed() throws Exception {
    need("zstd");
    need("age");
    KeyPair keys = KeyPair.generate(new SecureRandom());
    KeyPair other = KeyPair.generate(new SecureRandom());
    String identity = identityFile(keys).toString();
    for (byte[] raw : contents()) {
      for (List<Recipient> recipients :
          List.of(List.of(keys.recipient()), List.of(other.recipient(), keys.recipient()))) {
        Segments.Sealed sealed = Segments.seal(new Codec.Zstd(1), recipients, 0, raw);
        byte[] decrypted = run(sealed.object(), "age", "-d", "-i", identity);
        assertArrayEquals(raw, run(decrypted, "zstd", "-dc"));
      }
    }
  }

  @Test
  void theToolsSkipSignatures() throws Exception {
    need("zstd");
    need("gzip");
    need("age");
    KeyPair keys = KeyPair.generate(new SecureRandom());
    String identity = identityFile(keys).toString();
    ObjectSigner signer = new ObjectSigner(SigningKey.generate(new SecureRandom()), () -> 77);
    byte[] raw = Segments.lines(1, 1_100_000);
    byte[] zstd = Segments.sealSigned(new Codec.Zstd(1), List.of(), 0, raw, signer).object();
    assertArrayEquals(raw, run(zstd, "zstd", "-dc"));
    run(zstd, "zstd", "-tq");
    byte[] gzip = Segments.sealSigned(new Codec.Gzip(6), List.of(), 0, raw, signer).object();
    assertArrayEquals(raw, run(gzip, "gzip", "-dc"));
    run(gzip, "gzip", "-t");
    List<Recipient> recipients = List.of(keys.recipient());
    byte[] age = Segments.sealSigned(new Codec.Zstd(1), recipients, 0, raw, signer).object();
    assertArrayEquals(raw, run(run(age, "age", "-d", "-i", identity), "zstd", "-dc"));
    for (List<Recipient> to : List.of(List.<Recipient>of(), recipients)) {
      byte[] pack = pack(new Codec.Zstd(1), to, List.of(raw), Optional.of(signer));
      byte[] plain = to.isEmpty() ? pack : run(pack, "age", "-d", "-i", identity);
      assertArrayEquals(raw, run(plain, "zstd", "-dc"));
    }
  }

  @Test
  void ageAndThenZstdPrintTheRangesOfAPackOneAfterTheOther() throws Exception {
    need("zstd");
    need("age");
    KeyPair keys = KeyPair.generate(new SecureRandom());
    String identity = identityFile(keys).toString();
    List<byte[]> contents = contents();
    byte[] together = contents.stream().reduce(new byte[0], StandardToolsTest::join);
    for (Codec codec : List.of(new Codec.Zstd(1), new Codec.Store())) {
      byte[] plain = pack(codec, List.of(), contents);
      assertArrayEquals(together, run(plain, "zstd", "-dc"));
      run(plain, "zstd", "-tq");
      byte[] sealed = pack(codec, List.of(keys.recipient()), contents);
      byte[] decrypted = run(sealed, "age", "-d", "-i", identity);
      assertArrayEquals(together, run(decrypted, "zstd", "-dc"));
    }
  }

  private static byte[] pack(Codec codec, List<Recipient> recipients, List<byte[]> contents) {
    return pack(codec, recipients, contents, Optional.empty());
  }

  private static byte[] pack(
      Codec codec,
      List<Recipient> recipients,
      List<byte[]> contents,
      Optional<ObjectSigner> signer) {
    try (PackSealer sealer =
        new PackSealer(
            codec, recipients, Optional.of(Segments.CONTENT_KEY), new SecureRandom(), signer)) {
      PackGroup group = PackGroup.begin(Segments.MTIME_NANOS, new SecureRandom());
      sealer.begin(new byte[16 << 20], new PackId(Segments.AGENT, group, 0), 1 << 20);
      for (int i = 0; i < contents.size(); i++) {
        byte[] raw = contents.get(i);
        sealer.describe(
            new PackedStream(i, Segments.STREAM.withEpoch(i), Segments.PATH, Segments.PATH, 0640));
        sealer.beginRange(i, 0, raw.length);
        sealer.append(raw, 0, raw.length);
        sealer.endRange(Segments.MTIME_NANOS);
      }
      SealedPack pack = sealer.finish(Segments.SEALED_MILLIS);
      return Arrays.copyOfRange(pack.staging(), pack.from(), pack.from() + pack.lengthBytes());
    }
  }

  @Test
  void aSegmentRecompressedAndReencryptedByTheToolsOpens() throws Exception {
    need("zstd");
    need("gzip");
    need("age");
    KeyPair keys = KeyPair.generate(new SecureRandom());
    String recipient = keys.recipient().text();
    for (byte[] raw : contents()) {
      Segments.Sealed zstd = Segments.seal(new Codec.Zstd(1), List.of(keys.recipient()), 9, raw);
      byte[] frames = join(headerOf(raw, false), run(raw, "zstd", "-6", "--check", "-c"));
      Segments.Sealed again = zstd.with(run(frames, "age", "-r", recipient));
      assertArrayEquals(raw, Segments.open(again, keys.identity()));

      Segments.Sealed gzip = Segments.seal(new Codec.Gzip(1), List.of(), 9, raw);
      Path named = Files.write(directory.resolve("named"), raw);
      byte[] members = join(headerOf(raw, true), run(new byte[0], "gzip", "-9c", named.toString()));
      assertArrayEquals(raw, Segments.open(gzip.with(members)));
    }
  }

  @Test
  void windowsUpToTheLimitOfZstdOpenAndLargerOnesAreRefused() throws Exception {
    need("zstd");
    byte[] raw = Segments.lines(1, 100_000);
    Segments.Sealed sealed = Segments.seal(new Codec.Zstd(1), List.of(), 9, raw);
    byte[] largest = run(raw, "zstd", "--long=27", "-c");
    assertArrayEquals(raw, Segments.open(sealed.with(join(headerOf(raw, false), largest))));
    byte[] tooLarge = run(raw, "zstd", "--long=28", "-c");
    assertThrows(
        DamagedSegmentException.class,
        () -> Segments.open(sealed.with(join(headerOf(raw, false), tooLarge))));
  }

  private static byte[] headerOf(byte[] raw, boolean gzip) {
    SegmentHeader header =
        new SegmentHeader(
            1,
            Segments.AGENT,
            Segments.STREAM,
            new ByteRange(9, 9 + raw.length),
            Segments.PATH,
            0,
            0,
            0,
            HeaderFormat.crc32c(raw, 0, raw.length));
    return HeaderEnvelope.wrap(HeaderFormat.encode(header), gzip);
  }

  private static byte[] join(byte[] first, byte[] second) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    joined.writeBytes(first);
    joined.writeBytes(second);
    return joined.toByteArray();
  }

  @Test
  void ageKeygenAndThisProgramReadEachOthersKeys() throws Exception {
    need("age-keygen");
    KeyPair keys = KeyPair.generate(new SecureRandom());
    String publicKey =
        new String(
                run(new byte[0], "age-keygen", "-y", identityFile(keys).toString()),
                StandardCharsets.UTF_8)
            .strip();
    assertEquals(keys.recipient().text(), publicKey);

    String file = new String(run(new byte[0], "age-keygen"), StandardCharsets.UTF_8);
    List<Identity> identities = IdentityFile.parse("key.txt", file);
    assertEquals(1, identities.size());
    assertTrue(file.contains("# public key: " + identities.getFirst().recipient() + "\n"));
  }
}
