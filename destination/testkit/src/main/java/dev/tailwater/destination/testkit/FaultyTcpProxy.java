package dev.tailwater.destination.testkit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * A proxy on the loopback between a client and a server of any TCP protocol that injects faults of
 * networks into whole connections: refuse, reset, stall, lose an answer. For HTTP, {@link
 * FaultyHttpProxy} injects faults into single requests.
 *
 * <p>Thread-safe.
 */
public final class FaultyTcpProxy implements AutoCloseable {
  private static final int BUFFER_BYTES = 64 << 10;

  private final InetSocketAddress server;
  private final LoopbackPort port;
  private final Object state = new Object();

  @GuardedBy("state")
  private boolean stalled;

  @GuardedBy("state")
  private boolean closed;

  /** The number of pieces of answers to forward before one is lost; negative to forward all. */
  @GuardedBy("state")
  private long answersLeft = -1;

  @GuardedBy("state")
  private long answersLost;

  private FaultyTcpProxy(int serverPort) throws IOException {
    this.server = new InetSocketAddress(InetAddress.getLoopbackAddress(), serverPort);
    this.port = LoopbackPort.reserve("tcp-proxy", this::serve);
  }

  /** Starts a proxy on a free port, which forwards everything to a port of the loopback. */
  public static FaultyTcpProxy before(int serverPort) throws IOException {
    FaultyTcpProxy proxy = new FaultyTcpProxy(serverPort);
    proxy.port.start();
    return proxy;
  }

  /** Returns the port on which the proxy listens. */
  public int port() {
    return port.number();
  }

  /** Refuses new connections from now on, and resets open ones. */
  public void refuse() throws IOException {
    port.refuse();
  }

  /** Listens again on the same port after {@link #refuse}. */
  public void listenAgain() throws IOException {
    port.listenAgain();
  }

  /** Resets open connections, so that both sides see ECONNRESET. */
  public void reset() {
    port.resetAll();
  }

  /** Accepts connections from now on, but forwards nothing. */
  public void stall() {
    synchronized (state) {
      stalled = true;
    }
  }

  /** Resumes forwarding after {@link #stall}, beginning with what waited. */
  public void goOn() {
    synchronized (state) {
      stalled = false;
      state.notifyAll();
    }
  }

  /**
   * Loses one piece of an answer: forwards the given number of further pieces, then drops the next
   * one and resets its connection, and then forwards everything again. In a protocol of short
   * answers, a piece is an answer.
   */
  public void loseAnswerAfter(int answers) {
    synchronized (state) {
      answersLeft = answers;
    }
  }

  /** Returns how many answers {@link #loseAnswerAfter} has lost so far. */
  public long answersLost() {
    synchronized (state) {
      return answersLost;
    }
  }

  private void serve(Socket client) {
    Socket toServer = new Socket();
    try {
      toServer.connect(server);
      toServer.setTcpNoDelay(true);
      client.setTcpNoDelay(true);
    } catch (IOException e) {
      LoopbackPort.reset(toServer);
      LoopbackPort.reset(client);
      return;
    }
    if (!port.track(client, toServer)) {
      return;
    }
    start("calls", client, toServer, false);
    start("answers", toServer, client, true);
  }

  private void start(String name, Socket from, Socket to, boolean answers) {
    Thread.ofPlatform().daemon().name("tcp-" + name).start(() -> pump(from, to, answers));
  }

  private void pump(Socket from, Socket to, boolean answers) {
    byte[] buffer = new byte[BUFFER_BYTES];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        if (!mayPass(answers)) {
          throw new IOException("planned loss");
        }
        out.write(buffer, 0, count);
      }
      to.shutdownOutput();
    } catch (IOException e) {
      // Both sides must see the end of the connection.
      LoopbackPort.reset(from);
      LoopbackPort.reset(to);
      port.untrack(from, to);
    }
  }

  private boolean mayPass(boolean answer) throws InterruptedIOException {
    synchronized (state) {
      while (stalled && !closed) {
        try {
          state.wait();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new InterruptedIOException("stalled");
        }
      }
      if (!answer || answersLeft < 0) {
        return true;
      }
      answersLeft--;
      if (answersLeft < 0) {
        answersLost++;
      }
      return answersLeft >= 0;
    }
  }

  /** Stops the proxy and resets open connections. */
  @Override
  public void close() throws IOException {
    synchronized (state) {
      closed = true;
      state.notifyAll();
    }
    port.close();
  }
}
