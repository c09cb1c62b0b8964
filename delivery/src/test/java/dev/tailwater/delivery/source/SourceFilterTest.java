package dev.tailwater.delivery.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.PosixPath;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SourceFilterTest {
  private static final PosixPath ROOT = PosixPath.of("/var/log");

  private static SourceFilter including(String glob) {
    return new SourceFilter(ROOT, List.of(glob), List.of());
  }

  private static boolean includes(String glob, String below) {
    return including(glob).wants(ROOT.resolve(below));
  }

  private static boolean includes(String glob, byte[] below) {
    return including(glob).wants(ROOT.resolve(PosixPath.of(below)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r", "\r\n", "\u0085", "\u2028", "\u2029"})
  void twoStarsMatchNamesWithLineTerminators(String terminator) {
    assertTrue(includes("**/*.log", "a" + terminator + "b/app.log"));
    assertTrue(includes("a/**", "a/x" + terminator + "y"));
    assertTrue(includes("**.log", "a" + terminator + "b.log"));
    assertFalse(includes("a/**", "b/x" + terminator + "y"));
  }

  @Test
  void twoStarsExcludeNamesWithLineTerminators() {
    SourceFilter filter = new SourceFilter(ROOT, List.of(), List.of("private/**", "**/tmp/**"));

    assertFalse(filter.wants(PosixPath.of("/var/log/private/x\ny")));
    assertFalse(filter.descends(PosixPath.of("/var/log/a\nb/tmp/c")));
    assertTrue(filter.wants(PosixPath.of("/var/log/public/x\ny")));
  }

  @Test
  void lineTerminatorInAGlobMatchesItselfOnly() {
    assertTrue(includes("a\nb.log", "a\nb.log"));
    assertTrue(includes("a\nb/**", "a\nb/c\rd"));
    assertTrue(includes("a[\n]b", "a\nb"));
    assertFalse(includes("a\nb.log", "a\rb.log"));
    assertFalse(includes("a[!\n]b", "a\nb"));
  }

  @Test
  void rangeOfControlCharactersMatchesLineTerminators() {
    assertTrue(includes("*[\u0001-\u001f]*", "a\nb"));
  }

  @Test
  void questionMarkMatchesOneLineTerminator() {
    assertTrue(includes("a?b", "a\nb"));
    assertFalse(includes("a?b", "a\r\nb"));
  }

  @Test
  void everyUndecodableByteIsOneCharacter() {
    byte[] cut = {'a', (byte) 0xe2, (byte) 0x82, 'b'};
    byte[] latin1 = "\u00e9t\u00e9/app.log".getBytes(StandardCharsets.ISO_8859_1);

    assertTrue(includes("a??b", cut));
    assertFalse(includes("a?b", cut));
    assertTrue(includes("?t?/*.log", latin1));
    assertTrue(includes("**/*.log", latin1));
  }

  @Test
  void decodableCharactersBesideUndecodableBytesStayWhole() {
    byte[] name = "\u20ac.\u00ff.\ud83d\ude00".getBytes(StandardCharsets.UTF_8);
    name[4] = (byte) 0xff;
    name[5] = (byte) 0xfe;

    assertTrue(includes("\u20ac.??.\ud83d\ude00", name));
  }

  @Test
  void filterTellsNamesBelowARootThatIsNotUtf8() {
    PosixPath root = PosixPath.of(new byte[] {'/', (byte) 0xe2, (byte) 0x82});
    SourceFilter filter = new SourceFilter(root, List.of("a/*.log"), List.of());

    assertEquals(root, filter.root());
    assertTrue(filter.wants(root.resolve("a/app.log")));
    assertFalse(filter.wants(root.resolve("b/app.log")));
  }

  private static boolean descends(String glob, String below) {
    return including(glob).descends(ROOT.resolve(below));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "*.log",
        "/**/app.log",
        "pods/**",
        "/pods/**.log",
        "/{pods/web,db}/*.log",
        "/pods/web/app.log",
        "/p*/???/*.log",
        "/{pods,db}/[v-x]*/{a,b}.log",
        "pods\\/web/*.log",
        "/pods/web\\/*.log",
        "\\/pods/web/*.log",
      })
  void directoriesWhoseFilesMayMatchAreEntered(String glob) {
    assertTrue(descends(glob, "pods"));
    assertTrue(descends(glob, "pods/web"));
  }

  @Test
  void directoriesThatAreTooDeepForAGlobAreNotEntered() {
    assertFalse(descends("/*.log", "pods"));
    assertTrue(descends("/*/*.log", "pods"));
    assertFalse(descends("/*/*.log", "pods/web"));
    assertFalse(descends("/{a,b}*/[cd]/x", "a1/c/x"));
  }

  @Test
  void directoriesThatMatchNoBeginningOfAGlobAreNotEntered() {
    assertFalse(descends("/pods/**", "db"));
    assertFalse(descends("/pods/**", "db/pods"));
    assertFalse(descends("/pods/*/0.log", "db"));
    assertTrue(descends("/\\*\\*/x", "**"));
    assertFalse(descends("/\\*\\*/x", "pods"));
    assertTrue(descends("/[{*]x/y", "{x"));
    assertFalse(descends("/[{*]x/y", "pods"));
  }

  @Test
  void directoriesWithoutFilesBelongToASourceAllTheSame() {
    SourceFilter filter = new SourceFilter(ROOT, List.of("/*.log"), List.of("tmp"));
    assertTrue(filter.hasDirectory(ROOT.resolve("pods/web")));
    assertFalse(filter.hasDirectory(ROOT.resolve("tmp/web")));
  }

  @Test
  void theRootAndWhatIsAboveItAreEntered() {
    assertTrue(including("/*.log").descends(ROOT));
    assertTrue(including("/*.log").descends(PosixPath.of("/var")));
  }
}
