package dev.tailwater.posix.testkit.nfs;

import dev.tailwater.posix.testkit.Command;
import dev.tailwater.posix.testkit.Skipping;
import dev.tailwater.posix.testkit.TestFileSystems;
import dev.tailwater.posix.testkit.UnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A directory of this machine, exported by nfs-ganesha and mounted by the kernel's NFS client.
 * Needs root, {@code ganesha.nfsd} with its VFS back end, a kernel with NFS, and a directory for
 * temporary files on a file system with file handles (ext4, xfs, btrfs).
 *
 * <p>Thread-safe, except for {@link #killServer} and {@link #restartServer}.
 */
public final class NfsFileSystem implements AutoCloseable {
  private static final Path FILE_SYSTEMS = Path.of("/proc/filesystems");

  private final Path directory;
  private Ganesha server;

  private NfsFileSystem(Path directory, Ganesha server) {
    this.directory = directory;
    this.server = server;
  }

  /** Returns why {@link #mount} cannot work on this machine; empty if it should work. */
  public static Optional<String> missing() throws IOException {
    if (!TestFileSystems.isRoot()) {
      return Optional.of("only root may export and mount a file system");
    }
    if (!kernelHasNfs() && Command.exists("modprobe")) {
      Command.run(List.of("modprobe", "nfsv4")); // the next check reports a failure
    }
    if (!kernelHasNfs()) {
      return Optional.of("this kernel has no NFS client: no nfs4 in " + FILE_SYSTEMS);
    }
    return Command.exists(Ganesha.PROGRAM)
        ? Optional.empty()
        : Optional.of(
            Ganesha.PROGRAM + " is not installed (Debian: nfs-ganesha and nfs-ganesha-vfs)");
  }

  private static boolean kernelHasNfs() throws IOException {
    return Files.readString(FILE_SYSTEMS).contains("nfs4");
  }

  /**
   * Mounts an empty directory over NFS 4.2. Skips the test, with the reason, if something is
   * {@linkplain #missing() missing}.
   *
   * @param options mount options of nfs(5), such as {@code hard,noac,wsize=131072}
   */
  public static NfsFileSystem mount(String options) throws IOException {
    return Skipping.unlessAvailable(() -> mountIfAvailable(options));
  }

  private static NfsFileSystem mountIfAvailable(String options) throws IOException {
    Optional<String> missing = missing();
    if (missing.isPresent()) {
      throw new UnavailableException(missing.get());
    }
    Path directory = Files.createTempDirectory("tailwater-nfs").toRealPath();
    Files.createDirectory(directory.resolve("mount"));
    Files.createDirectory(directory.resolve("files"));
    NfsFileSystem mounted = new NfsFileSystem(directory, Ganesha.start(directory));
    try {
      mounted.mountHere(options);
      return mounted;
    } catch (IOException | RuntimeException e) {
      mounted.server.kill();
      throw e;
    }
  }

  private void mountHere(String options) throws IOException {
    Command.run(
            List.of(
                "mount",
                "-i", // works without the mount helper of nfs-common
                "-t",
                "nfs4",
                "-o",
                "vers=4.2,addr=127.0.0.1,clientaddr=127.0.0.1,port="
                    + server.port()
                    + ","
                    + options,
                "127.0.0.1:" + Ganesha.PSEUDO_PATH,
                root().toString()))
        .requireSuccess();
  }

  /** Returns the mount point. */
  public Path root() {
    return directory.resolve("mount");
  }

  /** Returns the directory in which the server keeps the files. */
  public Path files() {
    return directory.resolve("files");
  }

  /** Returns the process that answers the requests. */
  public ProcessHandle server() {
    return server.process();
  }

  /** Kills the server with SIGKILL: with a hard mount, requests wait from now on. */
  public void killServer() throws IOException {
    server.kill();
  }

  /**
   * Starts a new server on the same port after {@link #killServer}; it answers the waiting
   * requests.
   */
  public void restartServer() throws IOException {
    server = server.restarted();
  }

  /** Unmounts the file system; fails if a file is still open. */
  @Override
  public void close() throws IOException {
    Command.Result unmounted = Command.run(List.of("umount", root().toString()));
    if (!unmounted.succeeded()) {
      Command.run(List.of("umount", "-f", "-l", root().toString())).requireSuccess();
    }
    server.kill();
    List<Path> deepestFirst;
    try (Stream<Path> all = Files.walk(directory)) {
      deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : deepestFirst) {
      Files.delete(path);
    }
    unmounted.requireSuccess();
  }
}
