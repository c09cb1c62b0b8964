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

  /** Starts on a free port, forwarding everything. */
  public static FaultyHttpProxy before(URI server) throws IOException {
    FaultyHttpProxy proxy =
        new FaultyHttpProxy(new InetSocketAddress(server.getHost(), server.getPort()));
    proxy.port.start();
    return proxy;
  }

  /** {@code http://127.0.0.1:PORT}. */
  public URI uri() {
    return URI.create("http://127.0.0.1:" + port.number());
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
    port.refuse();
  }

  /** After {@link #refuse}: listens again on the same port. */
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
                LoopbackPort.reset(client); // What one side did, the other side sees too.
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

  /** Resets what is open. */
  @Override
  public void close() throws IOException {
    port.close();
  }
}
