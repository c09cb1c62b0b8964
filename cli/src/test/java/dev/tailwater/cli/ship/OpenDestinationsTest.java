package dev.tailwater.cli.ship;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.tailwater.delivery.AgentDestination;
import dev.tailwater.delivery.route.Bandwidth;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.TransientDestinationException;
import dev.tailwater.destination.UnknownDestinationException;
import dev.tailwater.destination.testkit.InMemoryDestination;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenDestinationsTest {
  private static final URI GOOD = URI.create("memory:/good");
  private static final URI HANGING = URI.create("memory:/hanging");
  private static final URI UNKNOWN = URI.create("memory:/unknown");

  private final CountDownLatch back = new CountDownLatch(1);
  private final AtomicInteger openings = new AtomicInteger();

  @AfterEach
  void letGo() {
    back.countDown();
  }

  private Destination place(URI uri) throws DestinationException {
    if (uri.equals(UNKNOWN)) {
      throw new UnknownDestinationException(uri, "nothing is known of it", "Name another one.");
    }
    if (uri.equals(HANGING)) {
      openings.incrementAndGet();
      try {
        back.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
    return InMemoryDestination.create();
  }

  private OpenDestinations places(URI... uris) {
    OpenDestinations.Places places =
        new OpenDestinations.Places() {
          @Override
          public Destination open(URI uri) throws DestinationException {
            return place(uri);
          }

          @Override
          public URI canonical(URI uri) {
            return uri;
          }
        };
    return new OpenDestinations(
        List.of(uris).stream()
            .map(u -> new ShipPlan.Target(u, Optional.empty(), true, Bandwidth.UNLIMITED))
            .toList(),
        places,
        Duration.ofMillis(200));
  }

  @Test
  void oneThatHangsKeepsNoOtherFromStartingAndIsUsedWhenItAnswers() throws Exception {
    List<AgentDestination> open =
        assertTimeoutPreemptively(Duration.ofSeconds(60), () -> places(HANGING, GOOD).open());
    Destination late = open.getFirst().destination();
    assertEquals(HANGING, late.uri());
    assertEquals(0, list(open.getLast().destination()));
    back.countDown();
    assertEquals(0, list(late));
    assertEquals(1, openings.get());
    OpenDestinations.close(open, new IOException());
  }

  private static int list(Destination destination) throws DestinationException {
    return destination.list("", Optional.empty(), 1).entries().size();
  }

  @Test
  void whoeverWaitsForOneThatHangsMayBeInterruptedAndItMayBeClosed() throws Exception {
    List<AgentDestination> open = places(GOOD, HANGING).open();
    Destination late = open.getLast().destination();
    Thread.currentThread().interrupt();
    assertThrows(TransientDestinationException.class, () -> list(late));
    assertEquals(true, Thread.interrupted());
    assertTimeoutPreemptively(
        Duration.ofSeconds(60), () -> OpenDestinations.close(open, new IOException()));
  }

  @Test
  void oneThatTheUserMustNameOtherwiseEndsTheStartThoughAnotherHangs() {
    assertThrows(
        UnknownDestinationException.class,
        () ->
            assertTimeoutPreemptively(
                Duration.ofSeconds(60), () -> places(HANGING, UNKNOWN).open()));
  }

  @Test
  void eachIsClosedThoughTheCloseOfOneBeforeItFailsAndTheReasonStays() {
    List<AgentDestination> open = List.of(notToBeClosed("one"), notToBeClosed("other"));
    IOException reason = new IOException("why it could not start");
    OpenDestinations.close(open, reason);
    assertEquals(
        List.of("close of one", "close of other"),
        Arrays.stream(reason.getSuppressed()).map(Throwable::getMessage).toList());
  }

  private static AgentDestination notToBeClosed(String name) {
    InvocationHandler handler =
        (_, _, _) -> {
          throw new IllegalStateException("close of " + name);
        };
    Destination destination =
        (Destination)
            Proxy.newProxyInstance(
                Destination.class.getClassLoader(), new Class<?>[] {Destination.class}, handler);
    return new AgentDestination(name, destination, true, Bandwidth.UNLIMITED);
  }

  @Test
  void aPathIsFollowedAsFarAsItAnswers(@TempDir Path directory) throws IOException {
    Path base = directory.toRealPath();
    Path mount = Files.createDirectories(base.resolve("server/mount"));
    Path link = Files.createSymbolicLink(base.resolve("link"), base.resolve("server"));
    RealPaths paths =
        new RealPaths(
            path -> {
              if (path.startsWith(mount)) {
                try {
                  back.await();
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              }
              return path.toRealPath();
            },
            Duration.ofMillis(200));
    assertEquals(mount.resolve("archive/web"), paths.of(link.resolve("mount/archive/web")));
    assertEquals(base.resolve("server/absent/web"), paths.of(link.resolve("absent/web")));
    assertEquals(base.resolve("server"), paths.of(link));
    assertEquals(Path.of("/"), paths.of(Path.of("/")));
  }
}
