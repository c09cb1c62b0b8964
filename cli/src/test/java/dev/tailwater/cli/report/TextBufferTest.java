package dev.tailwater.cli.report;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.cli.value.ByteSizes;
import dev.tailwater.posix.EscapedPath;
import dev.tailwater.posix.PosixPath;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class TextBufferTest {
  private static byte[] written(TextBuffer text, Charset charset) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    text.writeTo(new PrintStream(out, true, charset));
    return out.toByteArray();
  }

  private static String written(TextBuffer text) {
    return new String(written(text, StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }

  @Test
  void putsPartsTogetherHoweverManyThereAre() {
    TextBuffer text = new TextBuffer();
    StringBuilder expected = new StringBuilder();
    for (int i = 0; i < 10_000; i++) {
      text.ascii("id-");
      text.number(i);
      text.spaces(2);
      text.size(1_500L * i);
      text.text(" f\u00fcr \uD83D\uDE00");
      expected.append("id-").append(i).append("  ").append(ByteSizes.forPeople(1_500L * i));
      expected.append(" f\u00fcr \uD83D\uDE00");
    }

    assertEquals(expected.codePointCount(0, expected.length()), text.characters());
    assertEquals(expected.toString(), written(text));
    assertEquals("", written(text));
  }

  @Test
  void writesPathsAsTheyAreEscaped() {
    Random random = new Random(1);
    for (int i = 0; i < 10_000; i++) {
      byte[] bytes = new byte[random.nextInt(40)];
      for (int at = 0; at < bytes.length; at++) {
        boolean any = random.nextInt(20) == 0;
        bytes[at] = (byte) (any ? 1 + random.nextInt(255) : 'a' + random.nextInt(26));
      }
      PosixPath path = PosixPath.of(bytes);
      String expected = EscapedPath.of(path);
      TextBuffer text = new TextBuffer();
      text.path(path);

      assertEquals(expected.codePointCount(0, expected.length()), text.characters());
      assertEquals(expected, written(text));
    }
  }

  @Test
  void insertsSpacesBeforeWhatWasAppended() {
    TextBuffer text = new TextBuffer();
    text.ascii("a");
    text.number(42);
    text.insertSpaces(1, 3);

    assertEquals("a   42", written(text));
  }

  @Test
  void takesAwayWhiteSpaceOfAnyLengthAndNothingBeforeTheLine() {
    TextBuffer text = new TextBuffer();
    text.ascii("a  ");
    int line = text.lengthBytes();
    text.text(" \u2003 \t");
    text.trimEnd(line);

    assertEquals(3, text.characters());
    text.text("\u00e9\uD83D\uDE00 \u2003");
    text.trimEnd(line);
    assertEquals(5, text.characters());
    assertEquals("a  \u00e9\uD83D\uDE00", written(text));
  }

  @Test
  void writesInTheEncodingOfTheStream() {
    TextBuffer text = new TextBuffer();
    text.text("\u00fc \u2003");

    assertArrayEquals(
        "\u00fc \u2003".getBytes(StandardCharsets.ISO_8859_1),
        written(text, StandardCharsets.ISO_8859_1));
  }

  @Test
  void writesAQuestionMarkForHalfACharacterAsStringsDo() {
    TextBuffer text = new TextBuffer();
    text.text("a\uD83Db");

    assertEquals(3, text.characters());
    assertEquals("a?b", written(text));
  }
}
