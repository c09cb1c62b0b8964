package dev.tailwater.store.datafile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.posix.Errno;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.store.datafile.read.ReadOptions;
import dev.tailwater.store.simulated.Texts;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reading when the limit of open files or of locked memory is reached after the opening. */
class NoRingTest {
  private static final int KEYS = 50;

  private final FileCalls real = LinuxFileCalls.create();
  private final AtomicInteger ringsWanted = new AtomicInteger();

  @TempDir Path temporary;

  private FileCalls calls() {
    return (FileCalls)
        Proxy.newProxyInstance(
            FileCalls.class.getClassLoader(),
            new Class<?>[] {FileCalls.class},
            (proxy, method, arguments) -> {
              String name = method.getName();
              if (name.equals("preadv2")) {
                throw ErrnoException.of(name, "test", Errno.EAGAIN); // as when a disk is needed
              }
              if (name.equals("ioUringSetup") && ringsWanted.incrementAndGet() > 1) {
                // The first finds out that there are rings; a moment later there are none left.
                throw ErrnoException.of(name, "test", Errno.EMFILE);
              }
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException failed) {
                throw failed.getCause();
              }
            });
  }

  @Test
  void readsAllTheSameWhenNoRingCanBeMadeAnyMore() throws Exception {
    DataFileOptions options =
        DataFileOptions.defaults().withReads(new ReadOptions(false, false, 0));
    PosixPath directory = PosixPath.of(temporary.resolve("store"));
    try (DataFileStore store = DataFileStore.open(calls(), directory, options)) {
      List<byte[]> keys = new ArrayList<>();
      for (int i = 0; i < KEYS; i++) {
        keys.add(Texts.bytes("key" + i));
        store.put(keys.get(i), keys.get(i));
      }
      try (ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
        Callable<List<String>> all = () -> texts(store.getAll(keys));
        List<String> expected = keys.stream().map(Texts::text).toList();
        assertEquals(expected, all.call());
        assertEquals(expected, virtual.submit(all).get());
        for (byte[] key : keys) {
          Optional<byte[]> one = virtual.submit(() -> store.get(key)).get();
          assertEquals(Texts.text(key), Texts.text(one.orElseThrow()));
          Optional<byte[]> later =
              store.async(ForkJoinPool.commonPool()).get(key).toCompletableFuture().get();
          assertEquals(Texts.text(key), Texts.text(later.orElseThrow()));
        }
      }
      assumeTrue(ringsWanted.get() > 1, "needs a kernel that allows io_uring");
    }
  }

  private static List<String> texts(List<Optional<byte[]>> values) {
    return values.stream().map(value -> Texts.text(value.orElseThrow())).toList();
  }
}
