package dev.tailwater.cli.ship;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.tailwater.cli.config.NoticeSetting;
import dev.tailwater.cli.config.NoticeSettings;
import dev.tailwater.cli.config.ShipKey;
import dev.tailwater.cli.config.ShipSettings;
import dev.tailwater.cli.config.SourceSetting;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.delivery.notice.Notices;
import dev.tailwater.delivery.problem.Problems;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfiguredNoticesTest {
  private static final Duration LONGEST = Duration.ofDays(36_500);

  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  void anEndpointThatMayTakeAHundredYearsIsAsked(@TempDir Path directory) throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          asked.countDown();
          exchange.sendResponseHeaders(404, -1);
          exchange.close();
        });
    server.start();
    Surroundings surroundings =
        new Surroundings(
            new PrintStream(OutputStream.nullOutputStream(), false, UTF_8),
            new PrintStream(err, true, UTF_8),
            Map.of(),
            directory,
            OptionalInt.empty());
    URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    ShipSettings settings =
        new ShipSettings.Builder()
            .source(new SourceSetting("logs", List.of(), List.of()))
            .set(ShipKey.DESTINATION, "archive")
            .set(ShipKey.STATE, "state")
            .notices(
                new NoticeSettings(
                    List.of(new NoticeSetting.Http(uri, LONGEST, LONGEST)), Map.of()))
            .build();
    ShipPlan plan = ShipPlan.of(settings, surroundings);
    Problems problems = new Problems(new ProblemPrinter(surroundings), System::currentTimeMillis);
    try (Notices _ =
        new ConfiguredNotices(plan, surroundings)
            .start(problems, new NoticePrinter(surroundings, () -> {}))) {
      assertTrue(asked.await(60, TimeUnit.SECONDS), () -> err.toString(UTF_8));
    } finally {
      server.stop(0);
    }
  }
}
