package dev.tailwater.delivery.notice;

import com.sun.net.httpserver.HttpExchange;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** The instance metadata service of EC2, version 2, as far as it tells of spot interruptions. */
public final class FakeEc2 extends MetadataServer {
  private final AtomicInteger tokens = new AtomicInteger();
  private volatile Optional<String> action = Optional.empty();
  private volatile Optional<String> rebalance = Optional.empty();

  public FakeEc2() {
    open();
  }

  /** Announces an interruption, such as {@code terminate}. */
  public void interrupt(String newAction, String time) {
    action = Optional.of("{\"action\": \"" + newAction + "\", \"time\": \"" + time + "\"}");
  }

  /** Withdraws the interruption. */
  public void withdraw() {
    action = Optional.empty();
  }

  void recommendRebalance(String noticeTime) {
    rebalance = Optional.of("{\"noticeTime\": \"" + noticeTime + "\"}");
  }

  void recommendNonsense() {
    rebalance = Optional.of("nonsense");
  }

  /** Invalidates all tokens. */
  void expireTokens() {
    tokens.incrementAndGet();
  }

  @Override
  protected Answer answer(HttpExchange exchange, String body) {
    String path = exchange.getRequestURI().getPath();
    if (path.equals("/latest/api/token")) {
      String seconds =
          exchange.getRequestHeaders().getFirst("X-aws-ec2-metadata-token-ttl-seconds");
      boolean asked = exchange.getRequestMethod().equals("PUT") && seconds != null;
      return asked ? new Answer(200, "token-" + tokens.get()) : new Answer(400, "");
    }
    String token = exchange.getRequestHeaders().getFirst("X-aws-ec2-metadata-token");
    if (!("token-" + tokens.get()).equals(token)) {
      return new Answer(401, "");
    }
    return switch (path) {
      case "/latest/meta-data/spot/instance-action" ->
          action.map(text -> new Answer(200, text)).orElse(Answer.NOT_FOUND);
      case "/latest/meta-data/events/recommendations/rebalance" ->
          rebalance.map(text -> new Answer(200, text)).orElse(Answer.NOT_FOUND);
      default -> Answer.NOT_FOUND;
    };
  }
}
