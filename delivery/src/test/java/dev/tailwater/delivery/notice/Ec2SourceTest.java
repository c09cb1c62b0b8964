package dev.tailwater.delivery.notice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

class Ec2SourceTest {
  private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");

  private final FakeEc2 ec2 = new FakeEc2();
  private final Ec2Source source =
      new Ec2Source(new MetadataHttpClient(), ec2.uri(), InstantSource.fixed(Instant.EPOCH));

  @AfterEach
  void close() {
    ec2.close();
  }

  @Test
  void hearsNothingWhereThereIsNothing() throws Exception {
    assertEquals(List.of(), source.ask());
    assertEquals(List.of(), source.ask());
    assertEquals(
        1, ec2.requests().stream().filter(r -> r.startsWith("PUT")).count(), "one token lasts");
  }

  @Test
  void hearsOfAnInterruptionAndHowMuchTimeIsLeft() throws Exception {
    ec2.interrupt("terminate", Instant.now().plusSeconds(100).toString());
    Notice notice = source.ask().getFirst();
    assertEquals(Notice.Kind.TERMINATION, notice.kind());
    long leftSeconds = notice.left().orElseThrow().toSeconds();
    // Its own clock is far off, and nobody asks it; that of the server goes by whole seconds.
    assertTrue(leftSeconds > 40 && leftSeconds <= 101, leftSeconds + " s");
    assertEquals(source.ask().getFirst().id(), notice.id());
  }

  @Test
  void asksItsOwnClockOnlyWhereTheCloudShowsNone() throws Exception {
    HttpAnswer answer = new HttpAnswer("GET /", 200, Map.of("date", "yesterday"), "");
    assertEquals(Optional.empty(), answer.serverTime());
    HttpAnswer dated =
        new HttpAnswer("GET /", 200, Map.of("date", "Sun, 22 Nov 2026 12:00:00 GMT"), "");
    assertEquals(Optional.of(NOW), dated.serverTime());
  }

  @Test
  void believesNoLongerTimeThanTheCloudEverGives() throws Exception {
    ec2.interrupt("terminate", "2036-11-22T12:01:40Z");
    assertEquals(Optional.of(Duration.ofMinutes(2)), source.ask().getFirst().left());
  }

  @Test
  void takesATimeThatIsNoneForAnInterruptionAllTheSame() throws Exception {
    ec2.interrupt("terminate", "soon");
    Notice notice = source.ask().getFirst();
    assertEquals(Notice.Kind.TERMINATION, notice.kind());
    assertEquals(Optional.empty(), notice.left());
  }

  @Test
  void takesAHibernationForAPause() throws Exception {
    ec2.interrupt("hibernate", "2026-11-22T12:00:00Z");
    assertEquals(Notice.Kind.PAUSE, source.ask().getFirst().kind());
  }

  @Test
  void takesARebalanceRecommendationForARisk() throws Exception {
    ec2.recommendRebalance("2026-11-22T11:59:00Z");
    Notice notice = source.ask().getFirst();
    assertEquals(Notice.Kind.RISK, notice.kind());
    assertEquals(Optional.empty(), notice.left());
    ec2.interrupt("terminate", "2026-11-22T12:01:40Z");
    assertEquals(2, source.ask().size());
  }

  @Test
  void aRecommendationThatIsNotUnderstoodHidesNoInterruption() throws Exception {
    ec2.recommendNonsense();
    assertThrows(IOException.class, source::ask);
    ec2.interrupt("terminate", "2026-11-22T12:01:40Z");
    assertEquals(1, source.ask().size());
  }

  @Test
  void fetchesANewTokenWhenItsOwnHasExpired() throws Exception {
    assertEquals(List.of(), source.ask());
    ec2.expireTokens();
    ec2.interrupt("terminate", "2026-11-22T12:01:40Z");
    assertEquals(1, source.ask().size());
    assertEquals(2, ec2.requests().stream().filter(r -> r.startsWith("PUT")).count());
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
  void saysWhatWentWrongAndRecovers(MetadataServer.Trouble trouble) throws Exception {
    assertEquals(List.of(), source.ask());
    ec2.trouble(trouble);
    IOException failure = assertThrows(IOException.class, source::ask);
    assertTrue(
        String.valueOf(failure.getMessage()).startsWith("GET " + ec2.uri()), failure.toString());
    ec2.trouble(MetadataServer.Trouble.NONE);
    assertEquals(List.of(), source.ask());
  }

  @Test
  void neverAsksAProxy() throws Exception {
    ProxySelector before = ProxySelector.getDefault();
    try {
      ProxySelector.setDefault(
          ProxySelector.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1)));
      assertEquals(List.of(), source.ask());
    } finally {
      ProxySelector.setDefault(before);
    }
  }

  @Test
  void saysThatNobodyListens() {
    URI nobody = ec2.uri();
    ec2.close();
    Ec2Source lost = new Ec2Source(new MetadataHttpClient(), nobody, InstantSource.system());
    IOException failure = assertThrows(IOException.class, lost::ask);
    assertTrue(String.valueOf(failure.getMessage()).contains("refused"), failure.toString());
  }
}
