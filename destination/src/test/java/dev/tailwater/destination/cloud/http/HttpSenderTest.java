package dev.tailwater.destination.cloud.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tailwater.destination.cloud.TimeLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class HttpSenderTest {
  private static final int REQUESTS = 400;
  private static final long STEP_NANOS = 10_000;
  private static final byte[] HEAD =
      "HTTP/1.1 200 OK\r\nContent-Length: 999999999\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private final AtomicInteger connections = new AtomicInteger();

  /** Answers each request with a body that is not read, until the client ends the connection. */
  private void serve(ServerSocket socket) {
    while (!socket.isClosed()) {
      try {
        Socket client = socket.accept();
        connections.incrementAndGet();
        Thread.ofVirtual().start(() -> answer(client));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void answer(Socket client) {
    try (client) {
      client.getInputStream().read(new byte[4096]);
      client.getOutputStream().write(HEAD);
      while (client.getInputStream().read() >= 0) {
        // The client sends nothing more.
      }
    } catch (IOException reset) {
      // As an end.
    } finally {
      connections.decrementAndGet();
    }
  }

  private static void ask(HttpSender sender, HttpRequest request) {
    try {
      sender.open(request).body().abort();
    } catch (HttpFailure | InterruptedException e) {
      // Nobody has the body now.
    }
  }

  @Test
  void anAnswerThatComesJustWhenItsReaderIsInterruptedKeepsNoConnection() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        HttpSender sender = HttpSender.open(TimeLimits.STANDARD)) {
      Thread.ofVirtual().start(() -> serve(socket));
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + socket.getLocalPort() + "/a"))
              .build();
      for (int i = 0; i < REQUESTS; i++) {
        Thread reader = Thread.ofPlatform().start(() -> ask(sender, request));
        LockSupport.parkNanos(i % 200 * STEP_NANOS);
        reader.interrupt();
        reader.join();
      }
      for (int tries = 0; connections.get() > 0 && tries < 50; tries++) {
        Thread.sleep(Duration.ofMillis(20));
      }
      assertEquals(0, connections.get());
    }
  }
}
