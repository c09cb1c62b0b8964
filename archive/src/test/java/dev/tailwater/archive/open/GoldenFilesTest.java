package dev.tailwater.archive.open;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.Codec;
import dev.tailwater.archive.age.ContentStanza;
import dev.tailwater.archive.age.Identity;
import dev.tailwater.archive.header.HeaderFormat;
import dev.tailwater.archive.header.SegmentHeader;
import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.ArchiveObject;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.archive.record.GapJson;
import dev.tailwater.archive.record.GapRecord;
import dev.tailwater.archive.record.StreamJson;
import dev.tailwater.archive.record.StreamRecord;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.PosixPath;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/**
 * What version 0.1.0 wrote opens for ever, and is still written where the format fixes the bytes.
 */
class GoldenFilesTest {
  private static final String STREAM_KEY = ArchiveNames.streamObject(Segments.PREFIX);
  private static final int HEADER_BYTES = 122;
  private static final ByteRange GAP = new ByteRange(100, 4096);

  private static byte[] golden(String name) throws IOException {
    try (InputStream file = GoldenFilesTest.class.getResourceAsStream("/golden/" + name)) {
      return Objects.requireNonNull(file, name).readAllBytes();
    }
  }

  private static List<String[]> lines(String name) throws IOException {
    return new String(golden(name), StandardCharsets.US_ASCII)
        .lines()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.split(" ", -1))
        .toList();
  }

  private static byte[] base64(String[] line) {
    return Base64.getDecoder().decode(line[1]);
  }

  @Test
  void everyGoldenSegmentOpens() throws IOException {
    List<String[]> lines = lines("segments.golden");
    byte[] raw = base64(lines.get(0));
    Identity identity = Identity.parse(lines.get(1)[1]);
    List<String[]> segments = lines.subList(2, lines.size());
    assertEquals(10, segments.size());
    SegmentHeader expected =
        new SegmentHeader(
            1,
            Segments.AGENT,
            Segments.STREAM,
            new ByteRange(4096, 4396),
            Segments.PATH,
            Segments.SEALED_MILLIS,
            Segments.MTIME_NANOS,
            Segments.PERMISSIONS,
            HeaderFormat.crc32c(raw, 0, raw.length));
    SegmentOpener opener = new SegmentOpener();
    for (String[] line : segments) {
      Segments.Sealed sealed = new Segments.Sealed(line[0], base64(line));
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      assertEquals(
          expected,
          opener.open(
              sealed.name(), new ByteArrayInputStream(sealed.object()), List.of(identity), out));
      assertArrayEquals(raw, out.toByteArray());
      assertEquals(
          Optional.of(new ContentStanza.Checksum(expected.range(), expected.rawCrc32c())),
          opener.peekContent(sealed.name(), sealed.object()));
    }
  }

  /** Encrypted segments that state a check; the key of the checks is all zeros. */
  @Test
  void everyGoldenSegmentWithACheckOpens() throws IOException {
    List<String[]> lines = lines("checks.golden");
    byte[] raw = base64(lines.get(0));
    Identity identity = Identity.parse(lines.get(1)[1]);
    List<String[]> segments = lines.subList(2, lines.size());
    assertEquals(3, segments.size());
    int crc = HeaderFormat.crc32c(raw, 0, raw.length);
    ContentStanza expected =
        ContentStanza.Check.of(
            Segments.CONTENT_KEY, Segments.STREAM, new ByteRange(4096, 4396), crc);
    for (String[] line : segments) {
      Segments.Sealed sealed = new Segments.Sealed(line[0], base64(line));
      assertArrayEquals(raw, Segments.open(sealed, identity));
      assertEquals(
          Optional.of(expected), new SegmentOpener().peekContent(sealed.name(), sealed.object()));
      assertTrue(
          new String(sealed.object(), StandardCharsets.ISO_8859_1)
              .startsWith(
                  "age-encryption.org/v1\n-> tailwater-v2 4096-4396 ade2bd68fb2ea833 94e9bc1f\n\n"));
    }
  }

  @Test
  void headersAndStoredBlocksAreWrittenAsEver() throws IOException {
    List<String[]> lines = lines("segments.golden");
    byte[] raw = base64(lines.get(0));
    int compared = 0;
    for (String[] line : lines.subList(2, lines.size())) {
      Segments.Sealed golden = new Segments.Sealed(line[0], base64(line));
      if (golden.name().encrypted()) {
        continue;
      }
      // Compressed bytes may change with the library; what surrounds them may not.
      boolean gzip = golden.name().gzip();
      int envelope = HEADER_BYTES + (gzip ? 16 + 10 : 8);
      Codec codec = gzip ? new Codec.Gzip(6) : new Codec.Zstd(1);
      byte[] written = Segments.seal(codec, List.of(), 4096, raw).object();
      assertArrayEquals(Arrays.copyOf(golden.object(), envelope), Arrays.copyOf(written, envelope));
      compared++;
    }
    assertEquals(5, compared);
    String[] stored = lines.get(lines.size() - 2);
    assertArrayEquals(
        base64(stored), Segments.seal(new Codec.Store(), List.of(), 4096, raw).object());
  }

  @Test
  void pathsHaveTheGoldenNames() throws IOException {
    List<String[]> lines = lines("names.golden");
    assertEquals(10, lines.size());
    for (String[] line : lines) {
      PosixPath path = pathOf(line[0]);
      assertEquals(line[1], ArchiveNames.streamPrefix(Segments.AGENT, path, Segments.STREAM));
      ArchiveObject object = ArchiveNames.parse(ArchiveNames.streamObject(line[1])).orElseThrow();
      assertTrue(object.shortened() || object.birthPath().equals(path), line[0]);
    }
  }

  private static PosixPath pathOf(String encoded) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int at = 0; at < encoded.length(); at++) {
      if (encoded.charAt(at) == '%') {
        bytes.write(Integer.parseInt(encoded, at + 1, at + 3, 16));
        at += 2;
      } else {
        bytes.write(encoded.charAt(at));
      }
    }
    return PosixPath.of(bytes.toByteArray());
  }

  @Test
  void identitiesHaveTheGoldenStreamIds() throws IOException {
    List<String[]> lines = lines("streams.golden");
    assertEquals(5, lines.size());
    for (String[] line : lines) {
      FileIdentity identity =
          new FileIdentity(
              Long.parseLong(line[1]), Long.parseLong(line[2]), number(line[3]), number(line[4]));
      assertEquals(line[6], StreamId.of(line[0], identity, Integer.parseInt(line[5])).text());
    }
  }

  private static OptionalLong number(String text) {
    return text.equals("-") ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text));
  }

  @Test
  void recordsReadAndWriteTheGoldenJson() throws IOException {
    StreamRecord stream =
        new StreamRecord(
            Segments.STREAM,
            PosixPath.of(new byte[] {'/', 'd', 'a', 't', 'a', '/', (byte) 0xff, ' ', 'x'}),
            List.of(
                new StreamRecord.KnownPath(PosixPath.of("/data/x.1"), 1_795_000_003_000L),
                new StreamRecord.KnownPath(PosixPath.of("/data/ü.2"), 1_795_000_004_000L)),
            Optional.of(
                new StreamRecord.End(StreamRecord.EndReason.MOVED_AWAY, 4396, 1_795_000_005_000L)),
            4396,
            0640,
            Segments.MTIME_NANOS);
    assertEquals(stream, StreamJson.read(golden("stream.json"), STREAM_KEY));
    assertArrayEquals(golden("stream.json"), StreamJson.write(stream));
    GapRecord gap =
        new GapRecord(Segments.STREAM, GAP, "truncated before it was read", 1_795_000_006_000L);
    String gapKey = ArchiveNames.gap(Segments.PREFIX, GAP);
    assertEquals(gap, GapJson.read(golden("gap.json"), gapKey));
    assertArrayEquals(golden("gap.json"), GapJson.write(gap));
  }
}
