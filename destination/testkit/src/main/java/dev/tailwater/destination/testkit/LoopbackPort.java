package dev.tailwater.destination.testkit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A port of the loopback that can be closed and opened again, and its open connections.
 * Thread-safe, except that one thread closes and opens the port.
 */
final class LoopbackPort implements AutoCloseable {
  private final String name;
  private final Consumer<Socket> visitor;
  private final int number;

  @GuardedBy("open")
  private final Set<Socket> open = new HashSet<>();

  @GuardedBy("open")
  private boolean closed;

  /** These fields belong to the thread that closes and opens the port. */
  private ServerSocket listener;

  private Thread accepting;

  private LoopbackPort(String name, ServerSocket listener, Consumer<Socket> visitor) {
    this.name = name;
    this.visitor = visitor;
    this.number = listener.getLocalPort();
    this.listener = listener;
    this.accepting = accepting(listener);
  }

  /**
   * Reserves a free port, which listens once it is {@linkplain #start started}.
   *
   * @param name of the thread that accepts
   * @param visitor gets each connection, on that thread
   */
  static LoopbackPort reserve(String name, Consumer<Socket> visitor) throws IOException {
    return new LoopbackPort(name, listener(0), visitor);
  }

  private static ServerSocket listener(int port) throws IOException {
    ServerSocket listener = new ServerSocket();
    listener.setReuseAddress(true);
    listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    return listener;
  }

  private Thread accepting(ServerSocket from) {
    return Thread.ofPlatform()
        .daemon()
        .name(name + "-" + number)
        .unstarted(
            () -> {
              while (true) {
                try {
                  visitor.accept(from.accept());
                } catch (SocketException e) {
                  return; // The port is closed.
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              }
            });
  }

  void start() {
    accepting.start();
  }

  int number() {
    return number;
  }

  /** Refuses new connections from now on, and resets open ones. */
  void refuse() throws IOException {
    listener.close();
    try {
      // A thread inside poll(2) keeps the port until the call returns.
      accepting.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("waiting until port " + number + " is free");
    }
    resetAll();
  }

  /** Listens again on the same port after {@link #refuse}. */
  void listenAgain() throws IOException {
    listener = listener(number);
    accepting = accepting(listener);
    start();
  }

  /** Tracks open connections; after the close, resets them instead and returns false. */
  boolean track(Socket... sockets) {
    synchronized (open) {
      if (!closed) {
        return open.addAll(Arrays.asList(sockets));
      }
    }
    Arrays.asList(sockets).forEach(LoopbackPort::reset);
    return false;
  }

  /** Stops tracking connections that have ended. */
  void untrack(Socket... sockets) {
    synchronized (open) {
      Arrays.asList(sockets).forEach(open::remove);
    }
  }

  /** Resets open connections, so that both sides see ECONNRESET. */
  void resetAll() {
    List<Socket> all;
    synchronized (open) {
      all = List.copyOf(open);
      open.clear();
    }
    all.forEach(LoopbackPort::reset);
  }

  /** Resets the connection, so that the other side sees ECONNRESET. */
  static void reset(Socket socket) {
    try (socket) {
      socket.setSoLinger(true, 0);
    } catch (IOException e) {
      // The connection has ended in any case.
    }
  }

  /** Closes the port for good. */
  @Override
  public void close() throws IOException {
    synchronized (open) {
      closed = true;
    }
    refuse();
  }
}
