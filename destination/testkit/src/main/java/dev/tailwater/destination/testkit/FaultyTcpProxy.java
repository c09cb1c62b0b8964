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

  /** Pieces of answers that still come back before one is lost; less than 0 for all. */
  @GuardedBy("state")
  private long answersLeft = -1;

  @GuardedBy("state")
  private long answersLost;

  private FaultyTcpProxy(int serverPort) throws IOException {
    this.server = new InetSocketAddress(InetAddress.getLoopbackAddress(), serverPort);
    this.port = LoopbackPort.reserve("tcp-proxy", this::serve);
  }

  /** Starts on a free port, forwarding everything to a port of the loopback. */
  public static FaultyTcpProxy before(int serverPort) throws IOException {
    FaultyTcpProxy proxy = new FaultyTcpProxy(serverPort);
    proxy.port.start();
    return proxy;
  }

  /** Where it listens. */
  public int port() {
    return port.number();
  }

  /** From now on connections are refused, and those that are open are reset. */
  public void refuse() throws IOException {
    port.refuse();
  }

  /** After {@link #refuse}: listens again on the same port. */
  public void listenAgain() throws IOException {
    port.listenAgain();
  }

  /** Ends what is open, so that both sides see ECONNRESET. */
  public void reset() {
    port.resetAll();
  }

  /** From now on connections are taken, and nothing goes through them. */
  public void stall() {
    synchronized (state) {
      stalled = true;
    }
  }

  /** After {@link #stall}: what waited goes on. */
  public void goOn() {
    synchronized (state) {
      stalled = false;
      state.notifyAll();
    }
  }

  /**
   * After so many further pieces of answers, which in a protocol of short answers are answers, the
   * next one is lost and its connection reset; then everything is as before.
   */
  public void loseAnswerAfter(int answers) {
    synchronized (state) {
      answersLeft = answers;
    }
  }

  /** How many {@link #loseAnswerAfter} has lost until now. */
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
      // What one side did to its end, the other side sees too.
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

  /** Resets what is open. */
  @Override
  public void close() throws IOException {
    synchronized (state) {
      closed = true;
      state.notifyAll();
    }
    port.close();
  }
}
