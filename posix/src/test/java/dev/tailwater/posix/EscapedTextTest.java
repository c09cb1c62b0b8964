package dev.tailwater.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class EscapedTextTest {
  @Test
  void ordinaryTextStaysAsItIs() {
    for (String text : new String[] {"", "put a/b at file:///c", "grüße 漢字 🙂", "a\\b"}) {
      assertEquals(text, EscapedText.of(text));
    }
  }

  @Test
  void escapesWhatATerminalObeysAndWhatHidesOrReordersText() {
    assertEquals("a\\u001b[31m\\u000a\\u0009\\u009b", EscapedText.of("a\u001b[31m\n\t\u009b"));
    assertEquals("\\u202eevil\\u2066", EscapedText.of("\u202eevil\u2066"));
    assertEquals("a\\u200db\\u00ad", EscapedText.of("a\u200db\u00ad"));
    assertEquals("\\u2028\\u2029", EscapedText.of("\u2028\u2029"));
    assertEquals("\\ud83dx", EscapedText.of("\ud83dx"));
  }
}
