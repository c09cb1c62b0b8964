package dev.tailwater.delivery;

import dev.tailwater.posix.FileCalls;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** Real file calls, of which one hangs as on a file server that does not answer. */
final class HungFileServer {
  private final CountDownLatch hung = new CountDownLatch(1);
  private final CountDownLatch answered = new CountDownLatch(1);
  private volatile Optional<Trouble> trouble = Optional.empty();

  private record Trouble(Path file, String threads) {}

  FileCalls calls() {
    return (FileCalls)
        Proxy.newProxyInstance(
            FileCalls.class.getClassLoader(),
            new Class<?>[] {FileCalls.class},
            (_, method, arguments) -> {
              if (method.getName().equals("fstat") && concerns((int) arguments[0])) {
                hung.countDown();
                answered.await();
              }
              try {
                return method.invoke(TestAgent.REAL_CALLS, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private boolean concerns(int fd) throws IOException {
    Optional<Trouble> now = trouble;
    return now.isPresent()
        && Thread.currentThread().getName().startsWith(now.get().threads())
        && Files.readSymbolicLink(Path.of("/proc/self/fd/" + fd)).equals(now.get().file());
  }

  /** Makes {@code fstat} of the file by these threads hang. */
  void hang(Path file, String threads) {
    trouble = Optional.of(new Trouble(file, threads));
  }

  void awaitHung() throws InterruptedException {
    hung.await();
  }

  /** Makes the calls that hang return; no call hangs any more. */
  void answer() {
    trouble = Optional.empty();
    answered.countDown();
  }
}
