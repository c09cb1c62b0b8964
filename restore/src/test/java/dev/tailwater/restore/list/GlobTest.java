package dev.tailwater.restore.list;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.posix.PosixPath;
import java.util.List;
import org.junit.jupiter.api.Test;

class GlobTest {
  private static void matches(boolean expected, String glob, String path) {
    assertEquals(expected, Glob.of(glob).matches(path), glob + " on " + path);
  }

  @Test
  void aPatternWithoutSlashIsForTheLastName() {
    matches(true, "*.log", "/var/log/a.log");
    matches(false, "*.log", "/var/log/a.log.1");
    matches(true, "a?c", "/x/abc");
    matches(false, "var", "/var/log");
  }

  @Test
  void starsStayWithinANameAndDoubleStarsDoNot() {
    matches(true, "/var/*/a", "/var/log/a");
    matches(false, "/var/*/a", "/var/log/x/a");
    matches(true, "/var/**", "/var/log/x/a");
    matches(true, "/var/**/a", "/var/a");
    matches(true, "/var/**/a", "/var/x/y/a");
    matches(false, "/var/**/a", "/var/xa");
    matches(true, "**/a", "/a");
    matches(true, "/v**r/a", "/v/x/r/a");
  }

  @Test
  void setsAlternativesAndEscapes() {
    matches(true, "[a-c]1", "/b1");
    matches(false, "[!a-c]1", "/b1");
    matches(true, "[]x]", "/]");
    matches(true, "{a,b*}.log", "/bc.log");
    matches(true, "a,b", "/a,b");
    matches(true, "a}", "/a}");
    matches(true, "\\*", "/*");
    matches(false, "\\*", "/x");
    matches(true, "a.b+c(d)$^|", "/a.b+c(d)$^|");
    matches(false, "a.b", "/axb");
    matches(true, "*", "/line\nbreak");
  }

  @Test
  void whatIsNotClosedIsRefusedWithTheReason() {
    for (String glob : List.of("[a", "{a", "[")) {
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> Glob.of(glob));
      assertTrue(String.valueOf(e.getMessage()).contains(glob), e.toString());
    }
    assertThrows(
        IllegalArgumentException.class, () -> Selection.everything().only(List.of("[z-a]")));
  }

  @Test
  void bytesThatAreNoTextAreWrittenAsTheyArePrinted() {
    PosixPath path = PosixPath.of(new byte[] {'/', 'd', '/', (byte) 0xff, '\n', 'a', (byte) 0xc3});
    for (String glob : new String[] {"/d/\\xff\\x0aa\\xc3", "/d/\\xff*", "*\\xc3", "/d/?\\x0a??"}) {
      assertTrue(Glob.of(glob).matches(path), glob);
    }
    for (String glob : new String[] {"/d/\\xfe*", "/d/\ufffd*", "\\xff"}) {
      assertFalse(Glob.of(glob).matches(path), glob);
    }
    assertTrue(Glob.of("/\\xc3\\xa9").matches(PosixPath.of("/é")));
    assertTrue(Glob.of("/a\\xg").matches(PosixPath.of("/axg")));
  }
}
