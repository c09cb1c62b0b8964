package dev.tailwater.destination;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Hints of commands that have ended. */
class FinalHintTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          It is tried again. | Try again.
          The server or the network stalls. It is tried again. | The server or the network stalls. Try again.
          The disk fails: see dmesg; it is tried again. | The disk fails: see dmesg; try again.
          The answer was lost; it is tried again under another name. | The answer was lost; try again.
          Undo that and delivery goes on by itself; restart. | Undo that and try again; restart.
          Mount or restore it; delivery goes on by itself. | Mount or restore it.
          Use a shorter prefix. | Use a shorter prefix.
          """)
  void theyDoNotPromiseAnotherTry(String hint, String expected) {
    DestinationException e =
        new TransientDestinationException(URI.create("x://y"), "read", "k", "why", hint);
    assertEquals(hint, e.hint(), "the agent promises it");
    assertEquals(expected, e.finalHint());
  }
}
