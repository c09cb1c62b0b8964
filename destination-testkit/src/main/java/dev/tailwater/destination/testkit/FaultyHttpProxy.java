package dev.tailwater.destination.testkit;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Stands on the loopback between a client and a real HTTP/1.1 server and does to each request what
 * a plan says: the faults of networks and servers, at exactly the request that a test means. It
 * looks at the first line, the length and {@code Expect} of a request, and changes nothing that it
 * forwards.
 *
 * <pre>{@code
 * try (FaultyHttpProxy proxy = FaultyHttpProxy.before(server)) {
 *   proxy.plan(request ->
 *       request.method().equals("PUT") ? new ProxyFault.LoseAnswer() : new ProxyFault.Forward());
 *   ... a client of proxy.uri() ...
 * }
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class FaultyHttpProxy implements AutoCloseable {
  private final InetSocketAddress server;
  private final int port;
  private final Object state = new Object();
  private final Set<Socket> open = new HashSet<>();
  private final List<ProxyRequest> requests = new ArrayList<>();
  private Function<ProxyRequest, ProxyFault> plan = request -> new ProxyFault.Forward();
  private ServerSocket listener;
  private Thread accepting;
  private boolean closed;

  private FaultyHttpProxy(InetSocketAddress server, ServerSocket listener) {
    this.server = server;
    this.listener = listener;
    this.port = listener.getLocalPort();
    this.accepting = accepting(listener);
  }

  /** Starts on a free port, forwarding everything. */
  public static FaultyHttpProxy before(URI server) throws IOException {
    FaultyHttpProxy proxy =
        new FaultyHttpProxy(new InetSocketAddress(server.getHost(), server.getPort()), listener(0));
    proxy.accepting.start();
    return proxy;
  }

  private static ServerSocket listener(int port) throws IOException {
    ServerSocket listener = new ServerSocket();
    listener.setReuseAddress(true);
    listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    return listener;
  }

  /** {@code http://127.0.0.1:PORT}. */
  public URI uri() {
    return URI.create("http://127.0.0.1:" + port);
  }

  /** From now on; requests under way keep what was decided for them. */
  public void plan(Function<ProxyRequest, ProxyFault> newPlan) {
    synchronized (state) {
      plan = newPlan;
    }
  }

  /** All requests until now, in the order of their coming. */
  public List<ProxyRequest> requests() {
    synchronized (state) {
      return List.copyOf(requests);
    }
  }

  /** From now on connections are refused, and those that are open are reset. */
  public void refuse() throws IOException {
    listener.close();
    try {
      // A thread inside poll(2) keeps the port until it has come out of it.
      accepting.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("waiting until port " + port + " is free");
    }
    resetAll();
  }

  /** After {@link #refuse}: listens again on the same port. */
  public void listenAgain() throws IOException {
    listener = listener(port);
    accepting = accepting(listener);
    accepting.start();
  }

  private void resetAll() {
    List<Socket> all;
    synchronized (state) {
      all = List.copyOf(open);
      open.clear();
    }
    all.forEach(FaultyHttpProxy::reset);
  }

  /** Ends the connection so that the other side sees ECONNRESET. */
  static void reset(Socket socket) {
    try (socket) {
      socket.setSoLinger(true, 0);
    } catch (IOException e) {
      // It is over in any case.
    }
  }

  private Thread accepting(ServerSocket from) {
    return Thread.ofPlatform()
        .daemon()
        .name("proxy-" + port)
        .unstarted(
            () -> {
              while (true) {
                try {
                  serve(from.accept());
                } catch (SocketException e) {
                  return; // No longer listening.
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              }
            });
  }

  private void serve(Socket client) {
    if (isClosedOrKeeps(client)) {
      reset(client);
      return;
    }
    Thread.ofPlatform()
        .daemon()
        .name("proxied")
        .start(
            () -> {
              try (ProxyConnection connection = ProxyConnection.open(client, server)) {
                keep(connection.toServer());
                connection.run(this::decide);
                forget(connection.toServer());
              } catch (IOException e) {
                reset(client); // What one side did to its end, the other side sees too.
              }
              forget(client);
            });
  }

  private boolean isClosedOrKeeps(Socket client) {
    synchronized (state) {
      if (!closed) {
        open.add(client);
      }
      return closed;
    }
  }

  private void keep(Socket socket) {
    synchronized (state) {
      open.add(socket);
    }
  }

  private void forget(Socket socket) {
    synchronized (state) {
      open.remove(socket);
    }
  }

  private ProxyFault decide(String method, String target, Map<String, String> headers) {
    ProxyRequest request;
    Function<ProxyRequest, ProxyFault> planned;
    synchronized (state) {
      request = new ProxyRequest(requests.size() + 1, method, target, headers);
      requests.add(request);
      planned = plan;
    }
    return planned.apply(request);
  }

  /** Resets what is open. */
  @Override
  public void close() throws IOException {
    synchronized (state) {
      closed = true;
    }
    refuse();
  }
}
