package dev.tailwater.archive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.Zstd;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ZstdLibraryTest {
  /** Nobody can make a file there, not even root. */
  private static final Path NO_PLACE = Path.of("/proc");

  @TempDir private Path directory;

  /** Another class loader has not loaded the library yet, whatever other tests do. */
  @Test
  void isLoadedFromTheFirstDirectoryThatPermitsItAlsoAfterAFailure() throws Exception {
    URL[] classes = {
      ZstdLibrary.class.getProtectionDomain().getCodeSource().getLocation(),
      Zstd.class.getProtectionDomain().getCodeSource().getLocation()
    };
    try (URLClassLoader loader =
        new URLClassLoader(classes, ClassLoader.getPlatformClassLoader())) {
      Method load = loader.loadClass(ZstdLibrary.class.getName()).getMethod("load", List.class);
      Path missing = directory.resolve("missing");
      InvocationTargetException failure =
          assertThrows(
              InvocationTargetException.class, () -> load.invoke(null, List.of(missing, NO_PLACE)));
      IOException why = assertInstanceOf(IOException.class, failure.getCause());
      String message = String.valueOf(why.getMessage());
      assertTrue(message.contains("from no directory: /proc ("), message);
      load.invoke(null, List.of(NO_PLACE, directory));
      load.invoke(null, List.of(NO_PLACE));
      Method compress = loader.loadClass(Zstd.class.getName()).getMethod("compress", byte[].class);
      byte[] compressed = (byte[]) compress.invoke(null, new byte[1000]);
      assertEquals(1000, Zstd.decompress(compressed, 1000).length);
    }
  }
}
