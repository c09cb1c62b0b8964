package dev.tailwater.delivery.notice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GceSourceTest {
  private final FakeGce gce = new FakeGce();
  private final GceSource preempted = source(GceSource.Key.PREEMPTED, Duration.ofMinutes(1));

  private GceSource source(GceSource.Key key, Duration hang) {
    return new GceSource(new MetadataHttpClient(), gce.uri(), key, hang);
  }

  @AfterEach
  void close() {
    gce.close();
  }

  @Test
  void hangsUntilThePreemptionBegins() throws Exception {
    assertEquals(List.of(), preempted.ask());
    CompletableFuture<List<Notice>> answer = new CompletableFuture<>();
    try (ExecutorService aside = Executors.newVirtualThreadPerTaskExecutor()) {
      aside.execute(
          () -> {
            try {
              answer.complete(preempted.ask());
            } catch (IOException e) {
              answer.completeExceptionally(e);
            }
          });
      while (gce.requests().size() < 2) {
        Thread.sleep(5);
      }
      assertTrue(!answer.isDone(), "nothing has changed");
      gce.set("preempted", "TRUE");
      Notice notice = answer.get(30, TimeUnit.SECONDS).getFirst();
      assertEquals(Notice.Kind.TERMINATION, notice.kind());
      assertEquals(Optional.of(Duration.ofSeconds(30)), notice.left());
    }
    assertTrue(gce.requests().getLast().contains("wait_for_change=true&timeout_sec=60&last_etag="));
  }

  @Test
  void asksAgainWhenNothingHasChangedForLong() throws Exception {
    GceSource impatient = source(GceSource.Key.PREEMPTED, Duration.ofSeconds(1));
    assertEquals(List.of(), impatient.ask());
    assertEquals(List.of(), impatient.ask());
    assertTrue(gce.requests().getLast().contains("timeout_sec=1"));
  }

  @Test
  void tellsAMigrationFromATermination() throws Exception {
    GceSource maintenance = source(GceSource.Key.MAINTENANCE, Duration.ofMinutes(1));
    assertEquals(List.of(), maintenance.ask());
    gce.set("maintenance-event", "MIGRATE_ON_HOST_MAINTENANCE");
    assertEquals(Notice.Kind.PAUSE, maintenance.ask().getFirst().kind());
    gce.set("maintenance-event", "TERMINATE_ON_HOST_MAINTENANCE");
    Notice notice = maintenance.ask().getFirst();
    assertEquals(Notice.Kind.TERMINATION, notice.kind());
    assertEquals(Optional.of(Duration.ofMinutes(1)), notice.left());
    gce.set("maintenance-event", "NONE");
    assertEquals(List.of(), maintenance.ask());
  }

  @Test
  void hearsAfterAFailureWhatItMissed() throws Exception {
    assertEquals(List.of(), preempted.ask());
    gce.trouble(MetadataServer.Trouble.ERROR_500);
    assertThrows(IOException.class, preempted::ask);
    gce.trouble(MetadataServer.Trouble.GARBAGE);
    assertThrows(IOException.class, preempted::ask);
    gce.trouble(MetadataServer.Trouble.CUT);
    assertThrows(IOException.class, preempted::ask);
    gce.set("preempted", "TRUE");
    gce.trouble(MetadataServer.Trouble.NONE);
    assertEquals(1, preempted.ask().size());
  }
}
