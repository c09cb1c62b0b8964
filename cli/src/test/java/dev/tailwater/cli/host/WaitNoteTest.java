package dev.tailwater.cli.host;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class WaitNoteTest {
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Surroundings surroundings =
      new Surroundings(
          new PrintStream(OutputStream.nullOutputStream(), false, UTF_8),
          new PrintStream(err, true, UTF_8),
          Map.of(),
          Path.of("/"),
          OptionalInt.empty());

  @Test
  void saysWhatIsWaitedForWhenThatTakesLong() throws Exception {
    try (WaitNote _ = WaitNote.begin(surroundings, Duration.ZERO, "waiting for a file system")) {
      while (err.size() == 0) {
        Thread.sleep(5);
      }
    }
    assertEquals("tailwater: waiting for a file system\n", err.toString(UTF_8));
  }

  @Test
  void saysNothingWhenTheAnswerComesSoon() throws Exception {
    WaitNote.begin(surroundings, Duration.ofMillis(200), "waiting").close();
    Thread.sleep(300);
    assertEquals("", err.toString(UTF_8));
  }

  @Test
  void waitsAnewWheneverTheCommandComesFurther() throws Exception {
    AtomicLong nowMillis = new AtomicLong();
    try (WaitNote note =
        WaitNote.begin(
            surroundings,
            Duration.ofMillis(10),
            "waiting",
            () -> Duration.ofMillis(nowMillis.get()).toNanos())) {
      nowMillis.set(9);
      note.progress();
      nowMillis.set(18);
      Thread.sleep(100);
      assertEquals("", err.toString(UTF_8));

      nowMillis.set(19);
      while (err.size() == 0) {
        Thread.sleep(5);
      }
    }
  }
}
