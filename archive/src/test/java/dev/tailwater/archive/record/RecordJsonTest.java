package dev.tailwater.archive.record;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.DamagedRecordException;
import dev.tailwater.archive.FileOwner;
import dev.tailwater.archive.Property;
import dev.tailwater.archive.UnsupportedFormatException;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.open.Segments;
import dev.tailwater.posix.PosixPath;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RecordJsonTest {
  private static final String KEY = ArchiveNames.streamObject(Segments.PREFIX);
  private static final String GAP_KEY = ArchiveNames.gap(Segments.PREFIX, new ByteRange(10, 20));
  private static final StreamRecord RECORD =
      new StreamRecord(
          Segments.STREAM,
          Segments.PATH,
          List.of(new StreamRecord.KnownPath(PosixPath.of("/var/log/app/access.log.1"), 5)),
          Optional.of(new StreamRecord.End(StreamRecord.EndReason.DELETED, 1000, 6)),
          1000,
          0640,
          7);
  private static final GapRecord GAP =
      new GapRecord(Segments.STREAM, new ByteRange(10, 20), "truncated \"before\" it was read", 3);

  private static PosixPath path(Random random) {
    byte[] bytes = new byte[1 + random.nextInt(60)];
    for (int at = 0; at < bytes.length; at++) {
      int b = random.nextInt(4) == 0 ? 1 + random.nextInt(255) : 'a' + random.nextInt(26);
      bytes[at] = (byte) b;
    }
    return PosixPath.of("/").resolve(PosixPath.of(bytes));
  }

  private static StreamRecord record(Random random) {
    List<StreamRecord.KnownPath> paths = new ArrayList<>();
    for (int renames = random.nextInt(5); renames > 0; renames--) {
      OptionalLong arrivalNanos =
          random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(random.nextLong());
      paths.add(new StreamRecord.KnownPath(path(random), random.nextLong(), arrivalNanos));
    }
    StreamRecord.EndReason[] reasons = StreamRecord.EndReason.values();
    Optional<StreamRecord.End> end =
        random.nextBoolean()
            ? Optional.empty()
            : Optional.of(
                new StreamRecord.End(
                    reasons[random.nextInt(reasons.length)],
                    random.nextLong() >>> 1,
                    random.nextLong()));
    return new StreamRecord(
        Segments.STREAM,
        path(random),
        paths,
        end,
        random.nextLong() >>> 1,
        random.nextInt(010000),
        random.nextLong(),
        random.nextBoolean(),
        owner(random));
  }

  private static Optional<FileOwner> owner(Random random) {
    return random.nextInt(3) == 0
        ? Optional.empty()
        : Optional.of(
            new FileOwner(
                random.nextLong(FileOwner.MAX_ID + 1),
                random.nextLong(FileOwner.MAX_ID + 1),
                random.nextBoolean() ? "" : "jürgen",
                random.nextBoolean() ? "" : "adm"));
  }

  @Test
  void ownersThatCannotBeAreRefused() throws Exception {
    StreamRecord owned =
        new StreamRecord(
            Segments.STREAM,
            PosixPath.of("/a"),
            List.of(),
            Optional.empty(),
            7,
            0,
            0,
            false,
            Optional.of(new FileOwner(33, 4, "www-data", "adm")));
    String json = text(StreamJson.write(owned));
    refused(json.replace(": 33", ": -1"));
    refused(json.replace(": 33", ": 4294967295"));
    refused(json.replace("\"www-data\"", "33"));
    refused(json.replace("www-data", "w".repeat(FileOwner.MAX_NAME_BYTES + 1)));
  }

  @Test
  void everyRecordComesBackWhateverItsPaths() {
    Property.holds(
        1000,
        random -> {
          StreamRecord record = record(random);
          assertEquals(record, StreamJson.read(StreamJson.write(record), KEY));
        });
  }

  @Test
  void gapsComeBack() throws Exception {
    assertEquals(GAP, GapJson.read(GapJson.write(GAP), GAP_KEY));
  }

  @Test
  void pathsThatAreNotUtf8AreKeptBesideTheirText() throws Exception {
    PosixPath odd = PosixPath.of(new byte[] {'/', 'a', ' ', (byte) 0xff, '%', '\n'});
    StreamRecord record =
        new StreamRecord(Segments.STREAM, odd, List.of(), Optional.empty(), 0, 0, 0);
    String json = new String(StreamJson.write(record), StandardCharsets.UTF_8);
    assertTrue(json.contains("\"birth_path_bytes\" : \"/a%20%FF%25%0A\""), json);
    assertEquals(odd, StreamJson.read(StreamJson.write(record), KEY).birthPath());
    assertEquals(odd, record.lastPath());
  }

  @Test
  void aFileThatWasChangedInPlaceStaysSo() throws Exception {
    StreamRecord changed =
        new StreamRecord(
            Segments.STREAM,
            PosixPath.of("/a"),
            List.of(),
            Optional.empty(),
            7,
            0,
            0,
            true,
            Optional.empty());
    assertEquals(changed, StreamJson.read(StreamJson.write(changed), KEY));
    refused(text(StreamJson.write(changed)).replace(": true", ": 1"));
  }

  @Test
  void unknownFieldsArePassedOver() throws Exception {
    String json =
        text(StreamJson.write(RECORD))
            .replaceFirst("\\{", "{ \"later\" : [ 1.5, null, { \"x\" : true } ],");
    assertEquals(RECORD, StreamJson.read(json.getBytes(StandardCharsets.UTF_8), KEY));
  }

  @Test
  void newerVersionsAreNamed() {
    String json = text(StreamJson.write(RECORD)).replace("\"version\" : 1", "\"version\" : 2");
    UnsupportedFormatException newer =
        assertThrows(
            UnsupportedFormatException.class,
            () -> StreamJson.read(json.getBytes(StandardCharsets.UTF_8), KEY));
    assertTrue(String.valueOf(newer.getMessage()).contains("version 2"), newer::getMessage);
  }

  private static String text(byte[] json) {
    return new String(json, StandardCharsets.UTF_8);
  }

  private static void refused(String json) {
    refused(json.getBytes(StandardCharsets.UTF_8));
  }

  private static void refused(byte[] json) {
    DamagedRecordException damaged =
        assertThrows(
            DamagedRecordException.class,
            () -> StreamJson.read(json, KEY),
            () -> HexFormat.of().formatHex(json, 0, Math.min(json.length, 100)));
    assertEquals(KEY, damaged.key());
    assertTrue(damaged.offsetBytes() >= 0);
  }

  @Test
  void wrongRecordsAreRefused() {
    String good = text(StreamJson.write(RECORD));
    refused("");
    refused("[]");
    refused("null");
    refused("{}");
    refused(good + "x");
    refused(good + good);
    refused(good.replace("tailwater-stream", "tailwater-gap"));
    refused(good.replace("\"version\" : 1", "\"version\" : 0"));
    refused(good.replace("\"version\" : 1", "\"version\" : \"1\""));
    refused(good.replace("\"version\" : 1", "\"version\" : 1, \"version\" : 1"));
    refused(good.replace(Segments.STREAM.text(), Segments.STREAM.withEpoch(1).text()));
    refused(good.replace(Segments.STREAM.text(), "x"));
    refused(good.replace("\"deleted\"", "\"lost\""));
    refused(good.replace("\"0640\"", "\"640\""));
    refused(good.replace("\"0640\"", "\"00640\""));
    refused(good.replace("\"0640\"", "416"));
    refused(good.replace(": 1000", ": -1"));
    refused(good.replace(": 1000", ": 1000.5"));
    refused(good.replace(": 1000", ": 99999999999999999999"));
    refused(good.replace("\"paths\"", "\"path\""));
    refused(good.replace("\"birth_path\"", "\"birth_path_bytes\" : \"/other\", \"birth_path\""));
    refused(good.replace("/var/log/app/access.log\"", "/a\\u0000\""));
    refused(good.replace("/var/log/app/access.log\"", "/a\\ud800\""));
    refused("[".repeat(100_000));
    refused("{\"a\":".repeat(100_000));
    refused("{" + "\"a\":\"" + "x".repeat(100_000) + "\"}");
    refused(" ".repeat(3_000_000));
  }

  /** A parser guesses the encoding from the first bytes. */
  @Test
  void firstBytesOfAnyKindAreRefused() {
    byte[] kinds = {0, '{', (byte) 0xff, (byte) 0xfe, (byte) 0xef, (byte) 0xbb, (byte) 0xbf, 'x'};
    for (int combination = 0; combination < 1 << (3 * 5); combination++) {
      byte[] json = new byte[8];
      Arrays.fill(json, (byte) 'x');
      for (int at = 0; at < 5; at++) {
        json[at] = kinds[combination >> (3 * at) & 7];
      }
      refused(json);
    }
  }

  @Test
  void everyTruncationAndFlippedBitIsRefusedOrReadsAsARecord() throws Exception {
    byte[] json = StreamJson.write(RECORD);
    for (int length = 0; length < json.length - 2; length++) {
      refused(text(Arrays.copyOf(json, length)));
    }
    for (int bit = 0; bit < json.length * 8; bit++) {
      byte[] flipped = json.clone();
      flipped[bit / 8] ^= (byte) (1 << (bit % 8));
      try {
        StreamJson.read(flipped, KEY);
      } catch (DamagedRecordException | UnsupportedFormatException refused) {
        assertEquals(KEY, refused.key());
      }
    }
  }

  @Test
  void aGapThatDisagreesWithItsNameIsRefused() {
    String other = ArchiveNames.gap(Segments.PREFIX, new ByteRange(10, 21));
    assertThrows(DamagedRecordException.class, () -> GapJson.read(GapJson.write(GAP), other));
    assertThrows(DamagedRecordException.class, () -> GapJson.read(GapJson.write(GAP), KEY));
  }

  @Test
  void theSameRecordHasTheSameBytes() {
    assertArrayEquals(StreamJson.write(RECORD), StreamJson.write(RECORD));
  }
}
