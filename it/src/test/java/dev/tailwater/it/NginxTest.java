package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.posix.testkit.Signals;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real nginx writes its access log under load and is rotated as its manual says. */
class NginxTest {
  private static final Path NGINX = Path.of("/usr/sbin/nginx");
  private static final int REQUESTS_A_ROUND = 400;

  @TempDir private Path directory;
  private int port;
  private int requests;

  private Process startNginx(Site site) throws Exception {
    assumeTrue(Files.isExecutable(NGINX), NGINX + " is not installed");
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Path own = Files.createDirectory(site.base().resolve("nginx"));
    String user = System.getProperty("user.name").equals("root") ? "user root;\n" : "";
    Files.writeString(
        own.resolve("nginx.conf"),
        user
            + "daemon off;\nworker_processes 2;\npid nginx.pid;\nerror_log stderr warn;\n"
            + "events { worker_connections 64; }\n"
            + "http {\n  access_log "
            + site.log("access.log")
            + ";\n  client_body_temp_path t1;\n  proxy_temp_path t2;\n  fastcgi_temp_path t3;\n"
            + "  uwsgi_temp_path t4;\n  scgi_temp_path t5;\n"
            + "  server { listen 127.0.0.1:"
            + port
            + "; location / { return 200 ok; } }\n}\n");
    Process nginx =
        new ProcessBuilder(NGINX.toString(), "-p", own + "/", "-c", own.resolve("nginx.conf") + "")
            .redirectErrorStream(true)
            .redirectOutput(site.base().resolve("nginx.txt").toFile())
            .start();
    Site.await("nginx answers", () -> answers() || !nginx.isAlive());
    assertTrue(nginx.isAlive(), Packaged.text(site.base().resolve("nginx.txt")));
    return nginx;
  }

  private boolean answers() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false; // Not listening yet; whoever waits gives up at some time.
    }
  }

  /** Requests over one connection; each becomes a line with a number of its own. */
  private void load() throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      InputStream in = socket.getInputStream();
      for (int i = 0; i < REQUESTS_A_ROUND; i++) {
        boolean last = i == REQUESTS_A_ROUND - 1;
        String request =
            "GET /request-"
                + requests++
                + "- HTTP/1.1\r\nHost: here\r\n"
                + (last ? "Connection: close\r\n" : "")
                + "\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        readUntilOk(in);
      }
    }
  }

  private static void readUntilOk(InputStream in) throws IOException {
    StringBuilder seen = new StringBuilder();
    while (!seen.toString().endsWith("\r\n\r\nok")) {
      int next = in.read();
      assertTrue(next >= 0, "nginx closed the connection after: " + seen);
      seen.append((char) next);
    }
  }

  /** {@code mv} and SIGUSR1: nginx writes to the renamed file until it has opened a new one. */
  private void rotate(Site site, Process nginx, int number) throws Exception {
    Files.move(site.log("access.log"), site.log("access.log." + number));
    load();
    Signals.send("USR1", nginx.toHandle());
    Site.await("nginx has a new log", () -> Files.exists(site.log("access.log")));
    load();
  }

  @Test
  void everyRequestIsInTheRestoredLogsThoughTheAgentIsKilled() throws Exception {
    try (Site site = new Site(directory)) {
      Process nginx = startNginx(site);
      try {
        Process agent = site.agent("--compress", "gzip:6");
        load();
        rotate(site, nginx, 1);
        site.kill(agent);
        rotate(site, nginx, 2);
        agent = site.agent("--compress", "zstd:3");
        rotate(site, nginx, 3);
        Signals.send("QUIT", nginx.toHandle()); // Ends when everything is logged.
        assertEquals(0, nginx.waitFor());
        site.stop(agent, 0);
      } finally {
        nginx.destroy();
        nginx.waitFor();
      }
      site.restoreAndCompare();
      assertEquals(requests, requestsRestored(site).size(), "requests in the restored logs");
    }
  }

  private static Set<String> requestsRestored(Site site) throws IOException {
    List<String> all = new ArrayList<>();
    for (Path file : Site.files(site.restored(site.logs()))) {
      for (String line : Files.readAllLines(file)) {
        int start = line.indexOf("/request-");
        if (start >= 0) {
          all.add(line.substring(start, line.indexOf('-', start + 9)));
        }
      }
    }
    Set<String> different = new TreeSet<>(all);
    assertEquals(all.size(), different.size(), "requests that are there twice");
    return different;
  }
}
