package dev.tailwater.store.datafile.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class BackgroundTest {
  @Test
  @Timeout(60)
  void countsWhatNoThreadCouldBeMadeForAndDoesNotWaitForIt() {
    Background background =
        new Background(
            task -> {
              throw new OutOfMemoryError("unable to create native thread");
            });
    assertFalse(background.run(() -> {}));
    assertEquals(1, background.failures());
    background.awaitIdle();
  }

  @Test
  @Timeout(60)
  void countsWhatIsRejected() {
    Background background =
        new Background(
            task -> {
              throw new RejectedExecutionException("shut down");
            });
    assertFalse(background.run(() -> {}));
    assertEquals(1, background.failures());
    background.awaitIdle();
  }
}
