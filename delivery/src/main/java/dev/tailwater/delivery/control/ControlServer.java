package dev.tailwater.delivery.control;

import dev.tailwater.delivery.thread.ThreadMaker;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;

/**
 * The server of the control socket. A request is one line: {@code status}, {@code file <path in
 * base64>} or {@code drain}. The answer is one JSON object, after which the connection ends. The
 * agent that holds the store's lock owns the socket, so one that a killed agent left is replaced.
 */
public final class ControlServer implements AutoCloseable {
  /** Enough for a path of PATH_MAX bytes in base64, and the word before it. */
  private static final int MAX_REQUEST_BYTES = 8 * 1024;

  private final Path path;
  private final ServerSocketChannel socket;
  private final Optional<Object> ownFile;
  private final ControlHandler handler;
  private final ThreadMaker threads;

  private ControlServer(
      Path path,
      ServerSocketChannel socket,
      Optional<Object> ownFile,
      ControlHandler handler,
      ThreadMaker threads) {
    this.path = path;
    this.socket = socket;
    this.ownFile = ownFile;
    this.handler = handler;
    this.threads = threads;
  }

  /** Listens in the state directory, which only the agent's user may enter. */
  public static ControlServer start(Path stateDirectory, ControlHandler handler)
      throws IOException {
    return start(stateDirectory, handler, ThreadMaker.platform());
  }

  /**
   * Checks that a socket in the state directory can have its path.
   *
   * @throws IOException it is too long for Linux
   */
  public static void requireShortPath(Path stateDirectory) throws IOException {
    Path path = ControlSocket.path(stateDirectory);
    int lengthBytes = path.toString().getBytes(StandardCharsets.UTF_8).length;
    if (lengthBytes > ControlSocket.MAX_PATH_BYTES) {
      throw new IOException(
          "control socket "
              + path
              + ": its path is "
              + lengthBytes
              + " bytes long, and Linux allows "
              + ControlSocket.MAX_PATH_BYTES);
    }
  }

  /**
   * Listens, as {@link #start(Path, ControlHandler)} does.
   *
   * @param threads makes a thread for listening, and one for each client. Virtual threads would not
   *     do: the first one that waits for a socket takes descriptors and threads of its own, which
   *     there may be none of when somebody asks what is wrong
   */
  static ControlServer start(Path stateDirectory, ControlHandler handler, ThreadMaker threads)
      throws IOException {
    requireShortPath(stateDirectory);
    Path path = ControlSocket.path(stateDirectory);
    ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    boolean accepts = false;
    try {
      Optional<Object> ownFile = bind(socket, stateDirectory);
      ControlServer server = new ControlServer(path, socket, ownFile, handler, threads);
      threads.unstarted("control", server::accept).start();
      accepts = true;
      return server;
    } catch (IOException e) {
      throw new IOException("control socket " + path + ": " + e.getMessage(), e);
    } finally {
      if (!accepts) { // Then whoever connects hears that nobody answers.
        socket.close();
      }
    }
  }

  /**
   * Binds the socket in a directory that nobody else may enter, and renames it once only its user
   * may use it: bind(2) creates it with the mode that the umask leaves.
   *
   * @return which file the socket is
   */
  private static Optional<Object> bind(ServerSocketChannel socket, Path stateDirectory)
      throws IOException {
    Path hidden = ControlSocket.hidden(stateDirectory);
    Files.deleteIfExists(hidden);
    Files.deleteIfExists(hidden.getParent());
    Files.createDirectory(
        hidden.getParent(),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    socket.bind(UnixDomainSocketAddress.of(hidden));
    Files.setPosixFilePermissions(hidden, PosixFilePermissions.fromString("rw-------"));
    Optional<Object> file = fileAt(hidden);
    Files.move(hidden, ControlSocket.path(stateDirectory), StandardCopyOption.ATOMIC_MOVE);
    Files.delete(hidden.getParent());
    return file;
  }

  /** Returns device and inode. */
  private static Optional<Object> fileAt(Path path) throws IOException {
    try {
      return Optional.ofNullable(
          Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
              .fileKey());
    } catch (NoSuchFileException gone) {
      return Optional.empty();
    }
  }

  private void accept() {
    while (true) {
      try {
        begin(socket.accept());
      } catch (ClosedChannelException e) {
        return;
      } catch (IOException | RuntimeException | Error e) {
        // Out of descriptors, most likely. This client gets no answer; the next one may.
        if (!pause()) {
          return;
        }
      }
    }
  }

  private void begin(SocketChannel client) {
    try {
      threads.unstarted("control-client", () -> serve(client)).start();
    } catch (OutOfMemoryError e) {
      serve(client); // There is no thread for it, so the next client waits.
    }
  }

  private static boolean pause() {
    try {
      Thread.sleep(Duration.ofMillis(100));
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void serve(SocketChannel client) {
    try (client) {
      String answer = answer(readLine(client));
      ByteBuffer bytes = ByteBuffer.wrap((answer + "\n").getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        client.write(bytes);
      }
    } catch (IOException e) {
      // The client has gone away without waiting for its answer.
      return;
    }
  }

  /** Reads a request; of one that is too long, only as much as shows that. */
  private static String readLine(SocketChannel client) throws IOException {
    byte[] request = new byte[MAX_REQUEST_BYTES + 1];
    var in = Channels.newInputStream(client);
    int length = 0;
    for (int b = in.read(); b >= 0 && b != '\n' && length < request.length; b = in.read()) {
      request[length++] = (byte) b;
    }
    return new String(request, 0, length, StandardCharsets.US_ASCII);
  }

  private String answer(String request) {
    Question question;
    try {
      question = parse(request);
    } catch (IllegalArgumentException e) {
      return ControlJson.error("not understood: " + e.getMessage());
    }
    try {
      return question.ask();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ControlJson.error("the agent is stopping");
    } catch (IOException e) {
      return ControlJson.error(String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      return ControlJson.error("a fault in the agent: " + e);
    }
  }

  /** A request that was understood. */
  private interface Question {
    String ask() throws IOException, InterruptedException;
  }

  /**
   * Parses a request.
   *
   * @throws IllegalArgumentException it is none
   */
  private Question parse(String request) {
    if (request.length() > MAX_REQUEST_BYTES) {
      throw new IllegalArgumentException("request is too long");
    }
    String[] words = request.split(" ", 2);
    return switch (words[0]) {
      case "status" -> () -> ControlJson.status(handler.status());
      case "drain" -> () -> ControlJson.drain(handler.drain());
      case "file" -> {
        PosixPath path = PosixPath.of(Base64.getDecoder().decode(words.length > 1 ? words[1] : ""));
        yield () -> ControlJson.file(handler.status(path));
      }
      default -> throw new IllegalArgumentException("request '" + words[0] + "'");
    };
  }

  @Override
  public void close() throws IOException {
    try {
      removeOwnFile();
    } catch (IOException e) {
      // On a read-only file system, most likely. The next agent replaces it.
    } finally {
      socket.close();
    }
  }

  /** Where the state directory was replaced, it is the socket of the agent that runs there now. */
  private void removeOwnFile() throws IOException {
    if (fileAt(path).equals(ownFile)) {
      Files.deleteIfExists(path);
    }
  }
}
