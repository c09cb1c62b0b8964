package dev.tailwater.bench.target;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A link on loopback to a server, on which what a client sends arrives some time later, so that
 * each request takes so much longer. The answers come at once, and as many bytes a second pass as
 * without it.
 */
final class DelayedLink implements AutoCloseable {
  private static final int CHUNK_BYTES = 64 << 10;
  private static final int MAX_CHUNKS_UNDERWAY = 1024;

  private final ServerSocket listening;
  private final int serverPort;
  private final long delayNanos;

  private DelayedLink(ServerSocket listening, int serverPort, long delayNanos) {
    this.listening = listening;
    this.serverPort = serverPort;
    this.delayNanos = delayNanos;
  }

  /** Bytes, and when they arrive; none: the client has ended. */
  private record Chunk(ByteBuffer bytes, long arrivalNanos) {}

  static DelayedLink start(int serverPort, int delayMillis) throws IOException {
    ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    DelayedLink link =
        new DelayedLink(listening, serverPort, TimeUnit.MILLISECONDS.toNanos(delayMillis));
    Thread.ofPlatform().daemon(true).name("delayed-link").start(link::accept);
    return link;
  }

  String endpoint() {
    return "http://127.0.0.1:" + listening.getLocalPort();
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        Socket client = listening.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        BlockingQueue<Chunk> underway = new ArrayBlockingQueue<>(MAX_CHUNKS_UNDERWAY);
        start(() -> send(client, underway));
        start(() -> arrive(underway, server));
        start(() -> answer(server, client));
      } catch (IOException e) {
        if (!listening.isClosed()) {
          throw new IllegalStateException("the link to the server has failed", e);
        }
      }
    }
  }

  private interface Transfer {
    void run() throws IOException, InterruptedException;
  }

  private static void start(Transfer transfer) {
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                transfer.run();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              } catch (IOException e) {
                // One of the two has closed the connection: the other one sees that as well.
              }
            });
  }

  private void send(Socket client, BlockingQueue<Chunk> underway)
      throws IOException, InterruptedException {
    byte[] buffer = new byte[CHUNK_BYTES];
    try {
      InputStream in = client.getInputStream();
      for (int read = in.read(buffer); read > 0; read = in.read(buffer)) {
        ByteBuffer bytes = ByteBuffer.wrap(Arrays.copyOf(buffer, read));
        underway.put(new Chunk(bytes, System.nanoTime() + delayNanos));
      }
    } finally {
      underway.put(new Chunk(ByteBuffer.allocate(0), System.nanoTime()));
    }
  }

  private static void arrive(BlockingQueue<Chunk> underway, Socket server)
      throws IOException, InterruptedException {
    try (server) {
      OutputStream out = server.getOutputStream();
      for (Chunk chunk = underway.take(); chunk.bytes().hasRemaining(); chunk = underway.take()) {
        TimeUnit.NANOSECONDS.sleep(Math.max(0, chunk.arrivalNanos() - System.nanoTime()));
        out.write(chunk.bytes().array());
      }
    }
  }

  private static void answer(Socket server, Socket client) throws IOException {
    try (client) {
      server.getInputStream().transferTo(client.getOutputStream());
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
  }
}
