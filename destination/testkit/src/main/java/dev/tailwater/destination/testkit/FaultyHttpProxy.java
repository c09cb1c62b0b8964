package dev.tailwater.destination.testkit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A proxy on the loopback between a client and a real HTTP/1.1 server that injects faults of
 * networks and servers at the requests that a plan selects. It parses only the first line, the
 * length and {@code Expect} of a request, and forwards everything unchanged.
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
  private final LoopbackPort port;
  private final Object state = new Object();

  @GuardedBy("state")
  private final List<ProxyRequest> requests = new ArrayList<>();

  @GuardedBy("state")
  private Function<ProxyRequest, ProxyFault> plan = request -> new ProxyFault.Forward();

  private FaultyHttpProxy(InetSocketAddress server) throws IOException {
    this.server = server;
    this.port = LoopbackPort.reserve("proxy", this::serve);
  }

  /** Starts a proxy on a free port, which forwards everything. */
  public static FaultyHttpProxy before(URI server) throws IOException {
    FaultyHttpProxy proxy =
        new FaultyHttpProxy(new InetSocketAddress(server.getHost(), server.getPort()));
    proxy.port.start();
    return proxy;
  }

  /** Returns {@code http://127.0.0.1:PORT}. */
  public URI uri() {
    return URI.create("http://127.0.0.1:" + port.number());
  }

  /** Sets the plan for new requests; requests in progress keep their fault. */
  public void plan(Function<ProxyRequest, ProxyFault> newPlan) {
    synchronized (state) {
      plan = newPlan;
    }
  }

  /** Returns all requests so far, in the order of their arrival. */
  public List<ProxyRequest> requests() {
    synchronized (state) {
      return List.copyOf(requests);
    }
  }

  /** Refuses new connections from now on, and resets open ones. */
  public void refuse() throws IOException {
    port.refuse();
  }

  /** Listens again on the same port after {@link #refuse}. */
  public void listenAgain() throws IOException {
    port.listenAgain();
  }

  private void serve(Socket client) {
    if (!port.track(client)) {
      return;
    }
    Thread.ofPlatform()
        .daemon()
        .name("proxied")
        .start(
            () -> {
              try (ProxyConnection connection = ProxyConnection.open(client, server)) {
                if (port.track(connection.toServer())) {
                  connection.run(this::decide);
                  port.untrack(connection.toServer());
                }
              } catch (IOException e) {
                LoopbackPort.reset(client); // Both sides must see the end.
              }
              port.untrack(client);
            });
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

  /** Stops the proxy and resets open connections. */
  @Override
  public void close() throws IOException {
    port.close();
  }
}
