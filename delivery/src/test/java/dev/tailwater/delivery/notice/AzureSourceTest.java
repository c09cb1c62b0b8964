package dev.tailwater.delivery.notice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AzureSourceTest {
  private final FakeAzure azure = new FakeAzure();
  private final AzureSource source = source(false);

  private AzureSource source(boolean acknowledgeEarly) {
    return new AzureSource(
        new MetadataHttpClient(), azure.uri(), InstantSource.system(), acknowledgeEarly);
  }

  @AfterEach
  void close() {
    azure.close();
  }

  private static String in(Duration time) {
    return DateTimeFormatter.RFC_1123_DATE_TIME.format(
        Instant.now().plus(time).atOffset(ZoneOffset.UTC));
  }

  @Test
  void hearsOfItsOwnPreemptionAndNotOfOthers() throws Exception {
    assertEquals(List.of(), source.ask());
    azure.event("a", "Preempt", "Scheduled", in(Duration.ofSeconds(30)), "web-2");
    assertEquals(List.of(), source.ask());
    azure.event("b", "Preempt", "Scheduled", in(Duration.ofSeconds(30)), "WEB-1", "web-3");
    Notice notice = source.ask().getFirst();
    assertEquals("b", notice.id());
    assertEquals(Notice.Kind.TERMINATION, notice.kind());
    long leftSeconds = notice.left().orElseThrow().toSeconds();
    assertTrue(leftSeconds >= 0 && leftSeconds <= 30, leftSeconds + " s");
    assertTrue(notice.text().contains("Spot eviction"), notice.text());
    azure.clear();
    assertEquals(List.of(), source.ask());
  }

  @Test
  void knowsEachTypeOfEvent() throws Exception {
    for (String type : List.of("Terminate", "Reboot", "Redeploy", "Freeze", "Brandnew")) {
      azure.event(type, type, "Scheduled", in(Duration.ofMinutes(10)), "web-1");
    }
    List<Notice> notices = source.ask();
    assertEquals(
        List.of(
            Notice.Kind.TERMINATION,
            Notice.Kind.TERMINATION,
            Notice.Kind.TERMINATION,
            Notice.Kind.PAUSE,
            Notice.Kind.RISK),
        notices.stream().map(Notice::kind).toList());
  }

  @Test
  void expectsTheEndAtOnceWhenItHasBegun() throws Exception {
    azure.event("a", "Preempt", "Started", "", "web-1");
    Notice notice = source.ask().getFirst();
    assertEquals(Optional.of(Duration.ofSeconds(5)), notice.left());
    assertTrue(notice.text().contains("has begun"), notice.text());
  }

  @Test
  void anEventThatBeginsBeforeItsTimeIsHeardAgain() throws Exception {
    azure.event("a", "Reboot", "Scheduled", in(Duration.ofHours(3)), "web-1");
    Notice scheduled = source.ask().getFirst();
    azure.clear();
    azure.event("a", "Reboot", "Started", "", "web-1");
    Notice begun = source.ask().getFirst();
    List<Notice> heard = new ArrayList<>();
    NoticeBoard board =
        new NoticeBoard(
            System::nanoTime,
            new NoticeListener() {
              @Override
              public void heard(ActiveNotice notice) {
                heard.add(notice.notice());
              }

              @Override
              public void withdrawn(ActiveNotice notice) {
                throw new AssertionError(notice + " was not withdrawn");
              }

              @Override
              public void survived(String from, Notice notice) {
                throw new AssertionError(notice + " is not past");
              }
            });
    board.update("azure", List.of(scheduled), true);
    board.update("azure", List.of(begun), true);
    assertEquals(List.of(scheduled, begun), heard);
    ActiveNotice end = board.forecast().termination().orElseThrow();
    assertTrue(end.left(System.nanoTime()).orElseThrow().compareTo(Duration.ofMinutes(1)) < 0);
  }

  @Test
  void acknowledgesOnlyAtTheEndAndOnlyForItself() throws Exception {
    azure.event("shared", "Reboot", "Scheduled", in(Duration.ofMinutes(10)), "web-1", "web-2");
    azure.event("other", "Preempt", "Scheduled", in(Duration.ofSeconds(30)), "web-2");
    azure.event("frozen", "Freeze", "Scheduled", in(Duration.ofSeconds(30)), "web-1");
    azure.event("begun", "Reboot", "Started", "", "web-1");
    azure.event("later", "Reboot", "Scheduled", in(Duration.ofDays(3)), "web-1");
    azure.event("own \\\"id", "Preempt", "Scheduled", in(Duration.ofSeconds(30)), "web-1");
    source.safe(false);
    assertEquals(List.of(), azure.acknowledged());
    source.safe(true);
    assertEquals(
        List.of("{\"StartRequests\":[{\"EventId\":\"own \\\"id\"}]}"), azure.acknowledged());
  }

  @Test
  void acknowledgesEarlierWhenTheUserWantsThat() throws Exception {
    azure.event("a", "Preempt", "Scheduled", in(Duration.ofSeconds(30)), "web-1");
    source(true).safe(false);
    assertEquals(1, azure.acknowledged().size());
  }

  @Test
  void saysWhatWentWrongAndRecovers() throws Exception {
    for (MetadataServer.Trouble trouble :
        List.of(
            MetadataServer.Trouble.ERROR_500,
            MetadataServer.Trouble.GARBAGE,
            MetadataServer.Trouble.CUT)) {
      azure.trouble(trouble);
      assertThrows(IOException.class, source::ask);
      azure.trouble(MetadataServer.Trouble.NONE);
      assertEquals(List.of(), source.ask());
    }
  }
}
