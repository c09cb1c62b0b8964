package dev.tailwater.archive.name;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.Codec;
import dev.tailwater.archive.Property;
import dev.tailwater.archive.open.Segments;
import dev.tailwater.posix.PosixPath;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ArchiveNamesTest {
  private static final ByteRange RANGE = new ByteRange(5, 1_000_000);

  private static String prefix(PosixPath path) {
    return ArchiveNames.streamPrefix(Segments.AGENT, path, Segments.STREAM);
  }

  /**
   * A path of 1 to 12 components: of hard bytes, or of such as stay what they are; some very long.
   */
  private static PosixPath path(Random random) {
    ByteArrayOutputStream path = new ByteArrayOutputStream();
    boolean plain = random.nextInt(3) == 0;
    int components = 1 + random.nextInt(12);
    for (int at = 0; at < components; at++) {
      path.write('/');
      path.writeBytes(plain ? plainComponent(random) : component(random));
    }
    return PosixPath.of(path.toByteArray());
  }

  private static byte[] plainComponent(Random random) {
    if (random.nextInt(20) == 0) {
      return (random.nextBoolean() ? ".." : Segments.STREAM.text())
          .getBytes(StandardCharsets.UTF_8);
    }
    int longest = new int[] {3, 12, StreamId.LENGTH_CHARACTERS + 1, 255}[random.nextInt(4)];
    int length = random.nextInt(4) == 0 ? longest : 1 + random.nextInt(longest);
    return "x".repeat(length).getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] component(Random random) {
    String[] odd = {
      ".",
      "..",
      "...",
      "~",
      "%41",
      "%",
      "a b",
      "ä",
      "日本",
      "c:d",
      "stream.json",
      "-",
      "con",
      Segments.STREAM.text(),
      Segments.STREAM.text() + "x",
      "~0123456789abcdef",
      "a~0123456789abcdef"
    };
    if (random.nextInt(3) == 0) {
      return odd[random.nextInt(odd.length)].getBytes(StandardCharsets.UTF_8);
    }
    byte[] bytes = new byte[1 + random.nextInt(random.nextBoolean() ? 12 : 255)];
    for (int at = 0; at < bytes.length; at++) {
      int b = random.nextBoolean() ? 'a' + random.nextInt(26) : 1 + random.nextInt(255);
      bytes[at] = (byte) (b == '/' ? '_' : b);
    }
    return bytes;
  }

  @Test
  void everyPathGivesALegalKeyThatIsReadBack() {
    Property.holds(
        5000,
        random -> {
          PosixPath path = path(random);
          String prefix = prefix(path);
          Codec codec = random.nextBoolean() ? new Codec.Zstd(1) : new Codec.Gzip(1);
          boolean encrypted = random.nextBoolean();
          String key = ArchiveNames.segment(prefix, RANGE, codec, encrypted);
          assertLegal(key);
          ArchiveObject.Segment segment =
              (ArchiveObject.Segment) ArchiveNames.parse(key).orElseThrow();
          assertEquals(key, segment.key());
          assertEquals(Segments.AGENT, segment.agent());
          assertEquals(Segments.STREAM, segment.stream());
          assertEquals(prefix, segment.streamPrefix());
          assertEquals(RANGE, segment.range());
          assertEquals(codec instanceof Codec.Gzip, segment.gzip());
          assertEquals(encrypted, segment.encrypted());
          if (!segment.shortened()) {
            assertEquals(path, segment.birthPath());
          }
          ArchiveObject gap = ArchiveNames.parse(ArchiveNames.gap(prefix, RANGE)).orElseThrow();
          assertEquals(RANGE, ((ArchiveObject.Gap) gap).range());
          ArchiveObject stream =
              ArchiveNames.parse(ArchiveNames.streamObject(prefix)).orElseThrow();
          assertEquals(segment.birthPath(), ((ArchiveObject.Stream) stream).birthPath());
        });
  }

  @Test
  void slashesThatLeadNowhereDoNotCount() {
    Property.holds(
        1000,
        random -> {
          PosixPath path = path(random);
          StringBuilder more = new StringBuilder();
          for (String component : latin1(path).substring(1).split("/", -1)) {
            more.append("/".repeat(1 + random.nextInt(2))).append(component);
          }
          more.append("/".repeat(random.nextInt(3)));
          PosixPath same = PosixPath.of(more.toString().getBytes(StandardCharsets.ISO_8859_1));
          assertEquals(prefix(path), prefix(same));
        });
  }

  private static String latin1(PosixPath path) {
    return new String(path.toBytes(), StandardCharsets.ISO_8859_1);
  }

  private static void assertLegal(String key) {
    assertTrue(key.length() <= ArchiveNames.MAX_KEY_BYTES, key);
    assertTrue(key.matches("[A-Za-z0-9._+=@,~%/-]+"), key);
    for (String component : key.split("/", -1)) {
      assertTrue(component.length() <= PathNames.MAX_COMPONENT_BYTES, component);
      assertFalse(component.isEmpty() || component.equals(".") || component.equals(".."), key);
    }
  }

  @Test
  void differentPathsHaveDifferentPrefixesAndNoObjectIsAFolderOfAnother() {
    Property.holds(
        20,
        random -> {
          Map<String, PosixPath> paths = new HashMap<>();
          List<String> keys = new ArrayList<>();
          for (int made = 0; made < 200; made++) {
            PosixPath path = path(random);
            String prefix = prefix(path);
            PosixPath other = paths.put(prefix, path);
            assertTrue(other == null || other.equals(path), prefix);
            keys.add(ArchiveNames.segment(prefix, RANGE, new Codec.Store(), false));
            // A file that lies where another file's objects lie.
            PosixPath below =
                path.resolve(Segments.STREAM.text()).resolve(keys.getLast().replaceAll(".*/", ""));
            keys.add(ArchiveNames.streamObject(prefix(below)));
          }
          keys.sort(null);
          for (String key : keys) {
            assertFalse(keys.stream().anyMatch(other -> other.startsWith(key + "/")), key);
          }
        });
  }

  @Test
  void ordinaryPathsStayReadable() {
    assertEquals("web-1/var/log/app/access.log/" + Segments.STREAM.text() + "/", Segments.PREFIX);
    assertEquals(
        Segments.PREFIX + "0000000000000000005-0000000000001000000.zst.age",
        ArchiveNames.segment(Segments.PREFIX, RANGE, new Codec.Zstd(1), true));
    assertEquals(
        Segments.PREFIX + "0000000000000000005-9223372036854775807.gap",
        ArchiveNames.gap(Segments.PREFIX, new ByteRange(5, Long.MAX_VALUE)));
    assertEquals(
        "web-1/a%20b/%C3%A4/%2E%2E/%7E/" + Segments.STREAM.text() + "/",
        prefix(PosixPath.of("//a b///ä/../~/")));
  }

  @Test
  void longPathsKeepBeginningAndNameAndSayThatTheyAreShortened() {
    String deep = "/data" + "/directory".repeat(100) + "/file.log";
    ArchiveObject object =
        ArchiveNames.parse(ArchiveNames.streamObject(prefix(PosixPath.of(deep)))).orElseThrow();
    assertTrue(object.shortened());
    assertTrue(object.birthPath().toString().startsWith("/data/directory/"));
    assertTrue(object.birthPath().toString().endsWith("/file.log"));
    ArchiveObject wide =
        ArchiveNames.parse(
                ArchiveNames.streamObject(prefix(PosixPath.of("/tmp/" + "ü".repeat(120)))))
            .orElseThrow();
    assertTrue(wide.shortened());
    assertTrue(wide.birthPath().toString().startsWith("/tmp/üüü"));
  }

  @Test
  void refusesPathsThatAreNotAbsoluteFiles() {
    for (String wrong : List.of("", "/", "///", "a/b")) {
      assertThrows(IllegalArgumentException.class, () -> prefix(PosixPath.of(wrong)), wrong);
    }
  }

  @Test
  void refusesAgentsThatAreNoNames() {
    for (String wrong : List.of("", ".", "..", ".hidden", "a/b", "ä", "a b", "x".repeat(65))) {
      assertThrows(IllegalArgumentException.class, () -> ArchiveNames.agentPrefix(wrong), wrong);
    }
    assertEquals("x/", ArchiveNames.agentPrefix("x"));
  }

  @Test
  void keysThatAreNotOursAreNotRecognised() {
    String good = ArchiveNames.segment(Segments.PREFIX, RANGE, new Codec.Zstd(1), true);
    assertTrue(ArchiveNames.parse(good).isPresent());
    for (String wrong :
        List.of(
            "",
            "/",
            "x",
            good + "x",
            good + "/",
            "/" + good,
            good.replace("web-1", "web 1"),
            good.replace("access", "ac%2fcess"),
            good.replace("access", "ac%2Fcess"),
            good.replace("access", "ac%00cess"),
            good.replace("access", "ac%61cess"),
            good.replace("access", "ac%6"),
            good.replace("access", "ac:cess"),
            good.replace("access.log", ""),
            good.replace("access.log", ".."),
            good.replace("access.log", "~0123456789abcdef"),
            good.replace("access.log", "x~0123456789abcdef"),
            good.replace("access.log", "x".repeat(190) + "~0123456789abcdez"),
            good.replace("/log/", "//"),
            good.replace("0000000000000000005", "000000000000000005"),
            good.replace("0000000000000000005", "0000000000001000000"),
            good.replace("0000000000001000000", "9999999999999999999"),
            good.replace(".zst", ".zip"),
            good.replace(".age", ".ag"),
            Segments.PREFIX + "stream.jso",
            "web-1/" + Segments.STREAM.text() + "/stream.json",
            ArchiveNames.agentObject("web-1", "left-behind.json"),
            "a/" + "b".repeat(800) + good)) {
      assertEquals(Optional.empty(), ArchiveNames.parse(wrong), wrong);
    }
  }

  @Test
  void parsingHostileKeysNeverFails() {
    String good = ArchiveNames.segment(Segments.PREFIX, RANGE, new Codec.Zstd(1), true);
    Property.holds(
        3000,
        random -> {
          StringBuilder key = new StringBuilder(good);
          for (int changes = random.nextInt(4); changes >= 0; changes--) {
            int at = random.nextInt(key.length());
            switch (random.nextInt(3)) {
              case 0 ->
                  key.setCharAt(
                      at, (char) (random.nextInt(10) == 0 ? 0x20AC : random.nextInt(128)));
              case 1 -> key.deleteCharAt(at);
              default -> key.insert(at, "/%~.0".charAt(random.nextInt(5)));
            }
          }
          String text = key.toString();
          ArchiveNames.parse(text).ifPresent(object -> assertEquals(text, object.key()));
        });
  }

  @Test
  void anAgentsOwnObjectsLieWhereNoFileCanLead() {
    assertEquals("web-1/~left-behind.json", ArchiveNames.agentObject("web-1", "left-behind.json"));
    assertFalse(prefix(PosixPath.of("/~left-behind.json/x")).startsWith("web-1/~"));
    assertThrows(IllegalArgumentException.class, () -> ArchiveNames.agentObject("a", "b/c"));
  }
}
