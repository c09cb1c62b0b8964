package dev.tailwater.cli.init;

import static java.util.Objects.requireNonNull;

import dev.tailwater.delivery.notice.MachineVendor;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A look at this machine. Asks nobody over the network, reads no log, and ends within a few
 * seconds: the search runs on a thread of its own, and what it has found by then counts, because a
 * call to a file server that is away hangs.
 */
public final class MachineSurvey {
  private static final Duration PATIENCE = Duration.ofSeconds(3);
  private static final List<PosixPath> SYSTEM_LOGS = List.of(PosixPath.of("/var/log"));
  private static final List<PosixPath> APPLICATIONS =
      List.of(PosixPath.of("/srv"), PosixPath.of("/opt"), PosixPath.of("/var/opt"));

  private final FileCalls calls;
  private final Places places;
  private final Map<String, String> environment;

  /**
   * Where to look.
   *
   * @param whole directories that are a source as a whole if logs are written below them
   * @param searched directories below which each directory of logs is a source
   * @param root what is {@code /} on a real machine: {@code sys}, {@code run} and {@code proc} are
   *     below it
   */
  public record Places(List<PosixPath> whole, List<PosixPath> searched, Path root) {
    /** {@code /var/log}, {@code /srv}, {@code /opt} and {@code /var/opt}. */
    public static Places standard() {
      return new Places(SYSTEM_LOGS, APPLICATIONS, Path.of("/"));
    }

    /** The same machine, with logs in these directories alone. */
    public static Places below(List<PosixPath> directories) {
      return new Places(List.of(), directories, Path.of("/"));
    }
  }

  public MachineSurvey(FileCalls calls, Places places, Map<String, String> environment) {
    this.calls = calls;
    this.places = places;
    this.environment = Map.copyOf(environment);
  }

  /**
   * Looks at the machine.
   *
   * @param nowMillis since 1970
   */
  Findings look(long nowMillis) {
    LogSearch search = new LogSearch(calls, nowMillis);
    AtomicReference<List<FileServer>> servers = new AtomicReference<>(List.of());
    Thread thread =
        Thread.ofPlatform()
            .name("survey")
            .daemon(true)
            .start(
                () -> {
                  places.whole().forEach(root -> search.search(root, true));
                  places.searched().forEach(root -> search.search(root, false));
                });
    Thread asking =
        Thread.ofPlatform()
            .name("file-servers")
            .daemon(true)
            .start(
                () ->
                    servers.set(
                        FileServers.find(calls, places.root().resolve("proc/self/mountinfo"))));
    boolean ended = joined(thread, PATIENCE);
    ended &= joined(asking, Duration.ofSeconds(1));
    SourceChoice choice = SourceChoice.of(search.found(), places.whole());
    MachineVendor vendor = new MachineVendor(places.root().resolve("sys"));
    return new Findings(
        choice.sources(),
        choice.more(),
        vendor.cloudName(),
        vendor.description(),
        Files.isDirectory(places.root().resolve("run/systemd/system"), LinkOption.NOFOLLOW_LINKS),
        environment.containsKey("KUBERNETES_SERVICE_HOST"),
        requireNonNull(servers.get()),
        cutShort(ended, search));
  }

  private static Optional<String> cutShort(boolean ended, LogSearch search) {
    if (!ended) {
      return Optional.of("a file system did not answer within " + PATIENCE.toSeconds() + " s");
    }
    return search.isBounded()
        ? Optional.of("there are more directories or files than init looks at")
        : Optional.empty();
  }

  private static boolean joined(Thread thread, Duration atMost) {
    try {
      return thread.join(atMost);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
