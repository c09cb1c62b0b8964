package dev.tailwater.archive.manifest;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ArchiveException;
import dev.tailwater.archive.DamagedSegmentException;
import dev.tailwater.archive.UnsupportedFormatException;
import dev.tailwater.archive.name.ManifestName;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.archive.name.PackId;
import dev.tailwater.archive.name.PackName;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class ManifestFormatTest {
  private static final PackGroup GROUP = new PackGroup("9hq8uvlhiuj8l-0fk3v9a1");
  private static final ManifestName NAME = new ManifestName("web-1", 1000, 2000, "0123abcd");

  private static PackFront front(int number, int frontBytes, int objectBytes) {
    byte[] object = new byte[objectBytes];
    new Random(number).nextBytes(object);
    PackName name = new PackName(new PackId("web-1", GROUP, number), frontBytes, number % 2 == 1);
    return PackFront.of(name, ByteBuffer.wrap(object));
  }

  private static final List<PackFront> FRONTS =
      List.of(front(0, 100, 500), front(1, 100, 101), front(2, 100, 100), front(7, 1, 1));

  private static void assertSame(List<PackFront> expected, List<PackFront> found) {
    assertEquals(expected.size(), found.size());
    for (int i = 0; i < expected.size(); i++) {
      assertEquals(expected.get(i).name(), found.get(i).name());
      assertEquals(expected.get(i).objectBytes(), found.get(i).objectBytes());
      assertArrayEquals(expected.get(i).bytes(), found.get(i).bytes());
    }
  }

  @Test
  void frontsAreReadAsTheyWereWritten() throws ArchiveException {
    for (List<PackFront> fronts : List.of(List.<PackFront>of(), FRONTS)) {
      byte[] manifest = ManifestFormat.encode(fronts);
      assertSame(fronts, ManifestFormat.decode(NAME, manifest));
      int length = ManifestFormat.emptyBytes();
      for (PackFront front : fronts) {
        length += ManifestFormat.lengthBytes(front);
      }
      assertEquals(length, manifest.length);
    }
  }

  /** Keeps what the first version wrote. */
  @Test
  void theGoldenManifestOpensAndIsStillWritten() throws IOException {
    byte[] golden;
    try (InputStream file = getClass().getResourceAsStream("/golden/manifest.golden")) {
      String text = new String(Objects.requireNonNull(file).readAllBytes(), US_ASCII);
      golden = Base64.getMimeDecoder().decode(text.substring(text.indexOf('\n')));
    }
    assertSame(FRONTS, ManifestFormat.decode(NAME, golden));
    assertArrayEquals(golden, ManifestFormat.encode(FRONTS));
  }

  @Test
  void whateverIsAlteredIsRefusedAndCostsNoMoreMemoryThanItsBytes() {
    byte[] manifest = ManifestFormat.encode(FRONTS);
    for (int length = 0; length < manifest.length; length++) {
      byte[] cut = Arrays.copyOf(manifest, length);
      assertThrows(DamagedSegmentException.class, () -> ManifestFormat.decode(NAME, cut));
      byte[] resealed = resealed(cut);
      if (length >= ManifestFormat.emptyBytes()) {
        assertThrows(DamagedSegmentException.class, () -> ManifestFormat.decode(NAME, resealed));
      }
    }
  }

  /** Gives bytes a valid checksum, as somebody would who wants to be believed. */
  private static byte[] resealed(byte[] bytes) {
    byte[] sealed = bytes.clone();
    if (sealed.length >= Integer.BYTES) {
      CRC32C crc = new CRC32C();
      crc.update(sealed, 0, sealed.length - Integer.BYTES);
      ByteBuffer.wrap(sealed)
          .order(ByteOrder.LITTLE_ENDIAN)
          .putInt(sealed.length - Integer.BYTES, (int) crc.getValue());
    }
    return sealed;
  }

  @Test
  void countsAndLengthsThatLieAreRefused() {
    byte[] manifest = ManifestFormat.encode(FRONTS);
    Random random = new Random(5);
    int refused = 0;
    for (int round = 0; round < 20_000; round++) {
      byte[] altered = manifest.clone();
      int at = 6 + random.nextInt(60); // Count, lengths, and the first name.
      altered[at] = (byte) random.nextInt(256);
      altered[6 + random.nextInt(60)] ^= (byte) (1 << random.nextInt(8));
      try {
        for (PackFront front : ManifestFormat.decode(NAME, resealed(altered))) {
          assertEquals("web-1", front.name().id().agent());
        }
      } catch (ArchiveException e) {
        refused++;
      }
    }
    assertTrue(refused > 1000, "refused " + refused);
  }

  @Test
  void namesThatEscapeTheAgentAreRefused() {
    for (String name :
        List.of(
            "../../web-2/~packs/9hq8uvlhiuj8l-0fk3v9a1/000000-000000-00000001.zst",
            "/000000-000000-00000001.zst",
            "9hq8uvlhiuj8l-0fk3v9a1/../000000-000000-00000001.zst",
            "9hq8uvlhiuj8l-0fk3v9a1/000000-000000-00000001.zst\0",
            "")) {
      byte[] text = name.getBytes(US_ASCII);
      ByteBuffer out = ByteBuffer.allocate(31 + text.length).order(ByteOrder.LITTLE_ENDIAN);
      out.put("TWPM".getBytes(US_ASCII)).putShort((short) 1).putShort((short) 0).putInt(1);
      out.putShort((short) text.length).put(text).putLong(1).putInt(1).put((byte) 7);
      byte[] manifest = resealed(out.array());
      assertThrows(DamagedSegmentException.class, () -> ManifestFormat.decode(NAME, manifest));
    }
  }

  @Test
  void aNewerVersionIsNamed() {
    byte[] manifest = ManifestFormat.encode(FRONTS);
    manifest[4] = 2;
    UnsupportedFormatException newer =
        assertThrows(UnsupportedFormatException.class, () -> ManifestFormat.decode(NAME, manifest));
    assertTrue(String.valueOf(newer.getMessage()).contains("version 2"), newer::getMessage);
  }

  @Test
  void keysAreParsedAsTheyWereMadeAndSortByTime() {
    SecureRandom random = new SecureRandom();
    List<ManifestName> names = new ArrayList<>();
    for (long nanos : new long[] {Long.MIN_VALUE, -1, 0, 1, 1_700_000_000_000_000_000L}) {
      names.add(ManifestName.of("web-1", nanos, random));
    }
    for (ManifestName name : names) {
      assertEquals(Optional.of(name), ManifestName.parse(name.key()));
    }
    assertEquals(names, names.stream().sorted().toList());
    assertEquals(
        names.stream().map(ManifestName::key).toList(),
        names.stream().map(ManifestName::key).sorted().toList());
    ManifestName joined = ManifestName.join(names.subList(1, 4), random);
    assertEquals(Optional.of(joined), ManifestName.parse(joined.key()));
    List<ManifestName> all = new ArrayList<>(names);
    all.add(joined);
    assertEquals(3, ManifestName.superseded(all).size());
    assertTrue(ManifestName.superseded(all).containsAll(names.subList(1, 4)));
  }

  @Test
  void otherKeysAreNone() {
    String key = NAME.key();
    for (String other :
        List.of(
            "",
            key + "/",
            "/" + key,
            key.replace("~manifests", "manifests"),
            key.replace("~manifests/", "~manifests/x/"),
            key.replace("web-1", ".web"),
            key.replace(".manifest", ".manifesT"),
            key.replace("0123abcd", "0123abcz"),
            // Ends before it begins.
            new ManifestName("web-1", 1000, 1000, "0123abcd").key().replaceFirst("8", "9"))) {
      assertTrue(ManifestName.parse(other).isEmpty(), other);
    }
  }
}
