package dev.tailwater.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The data directory of a real PostgreSQL under load. What is restored is the directory after a
 * crash: its files were not written to any more when they were drained.
 */
class PostgresTest {
  private static final Path VERSIONS = Path.of("/usr/lib/postgresql");
  private static final long PATIENCE_SECONDS = 60;
  private static final int LOAD_SECONDS = 2;

  /** Segments of 1 MiB, of which a few are there: each is used again soon. */
  private static final List<String> SETTINGS =
      List.of(
          "fsync=off",
          "listen_addresses=",
          "min_wal_size=4MB",
          "max_wal_size=6MB",
          "checkpoint_timeout=30s",
          "log_checkpoints=on",
          "shared_buffers=16MB");

  @TempDir private Path directory;
  private final List<Process> servers = new ArrayList<>();

  @AfterEach
  void killServers() throws Exception {
    for (Process server : servers) {
      kill(server);
    }
  }

  private static Path programs() throws IOException {
    assumeTrue(Files.isDirectory(VERSIONS), "PostgreSQL is not installed");
    try (Stream<Path> versions = Files.list(VERSIONS)) {
      Optional<Path> newest =
          versions
              .map(version -> version.resolve("bin"))
              .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
              .max(Comparator.naturalOrder());
      assumeTrue(newest.isPresent(), "PostgreSQL is not installed");
      return newest.get();
    }
  }

  /** The server refuses to run as root. */
  private static List<String> asUser(List<String> command) {
    if (!System.getProperty("user.name").equals("root")) {
      return command;
    }
    List<String> asNobody =
        new ArrayList<>(
            List.of("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "--"));
    asNobody.addAll(command);
    return asNobody;
  }

  private Packaged.Run run(String... command) throws Exception {
    return Packaged.run(directory, Map.of("LC_ALL", "C"), asUser(List.of(command)));
  }

  /** A directory of the user that the server runs as. */
  private Path ownDirectory(Path own) throws Exception {
    Files.createDirectories(own);
    Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwx------"));
    if (System.getProperty("user.name").equals("root")) {
      Packaged.Run chown =
          Packaged.run(directory, Map.of(), List.of("chown", "-R", "nobody:nogroup", "" + own));
      assertEquals(0, chown.exitCode(), chown.err());
    }
    return own;
  }

  private Process server(Path programs, Path data, Path sockets) throws Exception {
    List<String> command = new ArrayList<>(List.of(programs.resolve("postgres").toString()));
    command.addAll(List.of("-D", data.toString(), "-k", sockets.toString()));
    for (String setting : SETTINGS) {
      command.addAll(List.of("-c", setting));
    }
    Path log = directory.resolve("postgres-" + servers.size() + ".txt");
    Process server =
        new ProcessBuilder(asUser(command))
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    servers.add(server);
    Site.await(
        "PostgreSQL answers",
        () -> query(programs, sockets, "select 1").exitCode() == 0 || !server.isAlive());
    assertTrue(server.isAlive(), () -> Packaged.text(log));
    return server;
  }

  private Packaged.Run query(Path programs, Path sockets, String sql) throws Exception {
    String psql = programs.resolve("psql").toString();
    return run(psql, "-X", "-At", "-h", "" + sockets, "-U", "tester", "-d", "postgres", "-c", sql);
  }

  /** SIGKILL for the server and everything that it started. */
  private static void kill(Process server) throws Exception {
    List<ProcessHandle> all = new ArrayList<>(server.descendants().toList());
    all.addFirst(server.toHandle());
    all.forEach(ProcessHandle::destroyForcibly);
    assertTrue(server.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), "PostgreSQL still runs");
    Site.await("nothing of PostgreSQL runs", () -> all.stream().noneMatch(ProcessHandle::isAlive));
  }

  private List<String> load(Path programs, Path sockets, int seconds) {
    return List.of(
        programs.resolve("pgbench").toString(),
        "-h",
        sockets.toString(),
        "-U",
        "tester",
        "-n",
        "-c",
        "2",
        "-T",
        Integer.toString(seconds),
        "postgres");
  }

  /** The names of WAL segments by inode. */
  private static Map<Object, String> segments(Path data) throws IOException {
    Map<Object, String> names = new HashMap<>();
    for (Path file : Site.files(data.resolve("pg_wal"))) {
      try {
        names.put(Files.getAttribute(file, "unix:ino"), file.getFileName().toString());
      } catch (NoSuchFileException e) {
        // Recycled or removed at this moment.
      }
    }
    return names;
  }

  /** Whether a segment has another name than when it was seen first. */
  private static boolean wasRecycled(Map<Object, String> seen, Path data) throws IOException {
    boolean recycled = false;
    for (Map.Entry<Object, String> now : segments(data).entrySet()) {
      seen.putIfAbsent(now.getKey(), now.getValue());
      recycled |= !now.getValue().equals(seen.get(now.getKey()));
    }
    return recycled;
  }

  /** Archives have no empty directories, and PostgreSQL wants them. */
  private static void addDirectories(Path from, Path to) throws IOException {
    try (Stream<Path> walk = Files.walk(from)) {
      for (Path path : walk.filter(Files::isDirectory).toList()) {
        Files.createDirectories(to.resolve(from.relativize(path).toString()));
      }
    }
  }

  @Test
  void recoversFromTheRestoredDataDirectoryAfterEverythingWasKilled() throws Exception {
    Path programs = programs();
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    assumeTrue(
        run("test", "-x", directory.toString()).exitCode() == 0,
        "the user nobody cannot reach " + directory);
    try (Site site = new Site(directory)) {
      Files.setPosixFilePermissions(site.logs(), PosixFilePermissions.fromString("rwxr-xr-x"));
      Path data = ownDirectory(site.log("data"));
      Path sockets = ownDirectory(directory.resolve("s"));
      Packaged.Run init =
          run(
              programs.resolve("initdb").toString(),
              "--no-sync",
              "--auth=trust",
              "--username=tester",
              "--wal-segsize=1",
              "-D",
              data.toString());
      assertEquals(0, init.exitCode(), init.err());
      Process server = server(programs, data, sockets);
      Packaged.Run fill =
          run(
              programs.resolve("pgbench").toString(),
              "-h",
              sockets.toString(),
              "-U",
              "tester",
              "-i",
              "-q",
              "postgres");
      assertEquals(0, fill.exitCode(), fill.err());

      Process agent = site.agent();
      Packaged.Run load = run(load(programs, sockets, LOAD_SECONDS).toArray(String[]::new));
      assertEquals(0, load.exitCode(), load.err());
      Packaged.Run counted = query(programs, sockets, "select count(*) from pgbench_history");
      site.kill(agent);
      assertTrue(query(programs, sockets, "checkpoint").exitCode() == 0, "checkpoint");

      agent = site.agent();
      Map<Object, String> seen = segments(data);
      Process more =
          new ProcessBuilder(asUser(load(programs, sockets, 60)))
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve("pgbench.txt").toFile())
              .start();
      try {
        Site.await("WAL segments are recycled", () -> wasRecycled(seen, data));
      } finally {
        kill(server);
        more.destroyForcibly();
        more.waitFor();
      }
      site.kill(agent);

      Packaged.Run drain = site.shipOnce();
      assertEquals(0, drain.exitCode(), drain.err());
      // At each checkpoint, files are replaced by others of their name.
      site.restoreAndCompareButWhatIsReplaced();
      Packaged.Run verify = site.tailwater("verify", site.destination(), "--against", "/");
      assertEquals(0, verify.exitCode(), verify.out() + verify.err());

      Path restored = site.restored(data);
      addDirectories(data, restored);
      ownDirectory(restored);
      openTheWayTo(restored);
      Files.delete(restored.resolve("postmaster.pid")); // Its process identifier may be in use.
      server(programs, restored, sockets);
      Packaged.Run recovered = query(programs, sockets, "select count(*) from pgbench_history");
      assertTrue(
          number(recovered) > number(counted),
          () -> recovered.out() + " transactions recovered of " + counted.out() + " and more");
      Packaged.Run sums =
          query(
              programs,
              sockets,
              "select (select sum(abalance) from pgbench_accounts)"
                  + " = (select sum(delta) from pgbench_history)");
      assertEquals("t", sums.out().strip(), sums.err());
    }
  }

  private static long number(Packaged.Run query) {
    assertEquals(0, query.exitCode(), query.err());
    return Long.parseLong(query.out().strip());
  }

  /** What restore makes is closed to others. */
  private void openTheWayTo(Path restored) throws IOException {
    Path base = directory.toRealPath();
    Path way = base;
    for (Path name : base.relativize(restored.resolveSibling(".")).normalize()) {
      way = way.resolve(name);
      Files.setPosixFilePermissions(way, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }
}
