package dev.tailwater.io.copy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tailwater.posix.linux.LinuxMemoryCalls;
import dev.tailwater.posix.value.CopyEngine;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The same classes once more, by a class loader that finds another library, or none. */
class CopyEngineFallbackTest {
  private static final String LIBRARY = "META-INF/native/";

  /** Defines the program's classes anew, and decides what their library is. */
  private static final class OtherLibrary extends ClassLoader {
    private final Optional<byte[]> library;

    OtherLibrary(Optional<byte[]> library) {
      super(StreamingCopy.class.getClassLoader());
      this.library = library;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith("dev.tailwater.")) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        return loaded == null ? define(name) : loaded;
      }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      try (InputStream in = super.getResourceAsStream(name.replace('.', '/') + ".class")) {
        if (in == null) {
          throw new ClassNotFoundException(name);
        }
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public @Nullable InputStream getResourceAsStream(String name) {
      if (name.startsWith(LIBRARY)) {
        return library.map(ByteArrayInputStream::new).orElse(null);
      }
      return super.getResourceAsStream(name);
    }
  }

  /** What the other StreamingCopy says of its engine, after a copy that is right. */
  private static String engineWith(Optional<byte[]> library) throws ReflectiveOperationException {
    Class<?> type = new OtherLibrary(library).loadClass(StreamingCopy.class.getName());
    Object copy = type.getMethod("load").invoke(null);
    byte[] source = new byte[5 * StreamingCopy.MIN_STREAMED_BYTES];
    Arrays.fill(source, (byte) 7);
    byte[] target = new byte[source.length];
    type.getMethod("copy", byte[].class, int.class, byte[].class, int.class, int.class)
        .invoke(copy, source, 0, target, 0, source.length);
    assertTrue(Arrays.equals(source, target));
    return type.getMethod("engine").invoke(copy)
        + ": "
        + type.getMethod("engineReason").invoke(copy);
  }

  @Test
  void withoutTheLibraryMemcpyDoesTheWorkAndTheReasonNamesIt() throws Exception {
    String said = engineWith(Optional.empty());
    assertTrue(said.startsWith("MEMCPY: META-INF/native/linux-"), said);
    assertTrue(
        said.endsWith("is not in the class path: this build was made without a C compiler for it"),
        said);
  }

  @Test
  void withADamagedLibraryMemcpyDoesTheWorkAndTheReasonIsTheLinkersOwn() throws Exception {
    for (byte[] damaged :
        new byte[][] {{}, "no library at all".repeat(10).getBytes(StandardCharsets.US_ASCII)}) {
      String said = engineWith(Optional.of(damaged));
      assertTrue(said.startsWith("MEMCPY: META-INF/native/linux-"), said);
      assertTrue(said.contains("cannot be loaded: dlopen: /proc/self/fd/"), said);
    }
  }

  @Test
  void theSameLibraryIsLoadedBesideItself() throws Exception {
    CopyEngine best = LinuxMemoryCalls.engines().getFirst();
    assumeTrue(best.nonTemporal(), "the library was not built: there is no C compiler");
    String resource = LIBRARY + "linux-" + architecture() + "/libtailwater-copy.so";
    try (InputStream in = StreamingCopy.class.getClassLoader().getResourceAsStream(resource)) {
      byte[] library = in.readAllBytes();
      String expected = best + ": the best of this processor";
      assertEquals(expected, engineWith(Optional.of(library)));
      assertEquals(expected, engineWith(Optional.of(library)));
    }
  }

  private static String architecture() {
    String name = System.getProperty("os.arch", "");
    return name.equals("amd64") ? "x86_64" : name;
  }
}
