package dev.tailwater.bench.agent;

import dev.tailwater.bench.run.AccessLogFile;
import dev.tailwater.bench.run.RunningProgram;
import dev.tailwater.lab.measure.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The programs of {@code bench neighbour}. Each is in a session of its own, as services are:
 * kernels that group sessions would otherwise rank them otherwise than on a server.
 */
final class NeighbourPrograms {
  private static final List<String> OWN_SESSION = List.of("setsid");

  private final Path work;

  NeighbourPrograms(Path work) {
    this.work = work;
  }

  RunningProgram start(List<String> words, String name) throws IOException {
    List<String> all = new ArrayList<>(OWN_SESSION);
    all.addAll(words);
    return RunningProgram.start(all, Map.of(), work.resolve(name + ".err"));
  }

  static ChildJvm child(Class<?> main, Object... arguments) throws IOException {
    List<String> texts = new ArrayList<>();
    for (Object argument : arguments) {
      texts.add(argument.toString());
    }
    return ChildJvm.start(
        main.getSimpleName(),
        OWN_SESSION,
        List.of("-XX:+UseSerialGC", "-Xmx64m", "--enable-native-access=ALL-UNNAMED"),
        main,
        texts);
  }

  /** Two workers that compress a page of 64 KiB for every request, which is what costs. */
  RunningProgram nginx(int port) throws IOException {
    Path root = Files.createDirectories(work.resolve("www"));
    AccessLogFile.write(root.resolve("page.txt"), 7, 64 * 1024);
    Path configuration = work.resolve("nginx.conf");
    Files.writeString(
        configuration,
        """
        daemon off;
        worker_processes 2;
        pid %1$s/nginx.pid;
        error_log stderr;
        events { worker_connections 64; }
        http {
          access_log off;
          types { text/plain txt; }
          gzip on; gzip_types text/plain; gzip_comp_level 6;
          keepalive_requests 1000000000;
          server { listen 127.0.0.1:%2$d; root %1$s/www; }
        }
        """
            .formatted(work, port));
    return start(List.of("nginx", "-p", work.toString(), "-c", configuration.toString()), "nginx");
  }

  /** Its imfile reads the log, its omfile writes the lines uncompressed. */
  RunningProgram rsyslog(Path log, Path target) throws IOException {
    Path configuration = work.resolve("rsyslog.conf");
    Files.writeString(
        configuration,
        """
        global(workDirectory="%1$s")
        module(load="imfile" mode="inotify")
        template(name="line" type="string" string="%%msg%%\\n")
        ruleset(name="ship") { action(type="omfile" file="%3$s" template="line") }
        input(type="imfile" File="%2$s" Tag="bench" ruleset="ship")
        """
            .formatted(Files.createDirectories(work.resolve("rsyslog")), log, target));
    return start(
        List.of(
            "rsyslogd",
            "-n",
            "-f",
            configuration.toString(),
            "-i",
            work.resolve("rsyslog.pid").toString()),
        "rsyslog");
  }
}
