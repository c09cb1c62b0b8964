package dev.tailwater.posix.testkit.fuse;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.cryptomator.jfuse.api.Fuse;

/**
 * A setter for the callback {@code link} of fuse_operations (fuse.h), which creates hard links.
 * jfuse 0.7.3 has a method for the callback but cannot register it, so this class calls the
 * generated accessors of the struct by reflection.
 */
final class LinkOperation {
  private LinkOperation() {}

  /** A handler that creates a link. */
  interface Handler {
    /**
     * Creates a second name for a file; returns 0, or a negative errno.
     *
     * @param from the existing name; absolute below the mount point, like {@code to}
     */
    int link(String from, String to);
  }

  /** Registers the handler. Call this before the mount. */
  static void set(Fuse fuse, Handler handler) {
    String structs = fuse.getClass().getPackageName() + ".extr.fuse3.fuse_operations";
    try {
      Class<?> callback = Class.forName(structs + "$link");
      Class<?> function = Class.forName(structs + "$link$Function");
      Object stub =
          Proxy.newProxyInstance(
              function.getClassLoader(),
              new Class<?>[] {function},
              (proxy, method, paths) -> handler.link(text(paths[0]), text(paths[1])));
      Method allocate = callback.getDeclaredMethod("allocate", function, Arena.class);
      allocate.setAccessible(true);
      Object pointer = allocate.invoke(null, stub, field(fuse, "fuseArena"));
      Method setter =
          Class.forName(structs)
              .getDeclaredMethod("link", MemorySegment.class, MemorySegment.class);
      setter.setAccessible(true);
      setter.invoke(null, field(fuse, "fuseOperationsStruct"), pointer);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("this version of jfuse keeps fuse_operations elsewhere", e);
    }
  }

  private static Object field(Fuse fuse, String name) throws ReflectiveOperationException {
    Field field = Fuse.class.getDeclaredField(name);
    field.setAccessible(true);
    return field.get(fuse);
  }

  @SuppressWarnings("restricted") // the kernel's paths end with a NUL
  private static String text(Object path) {
    return ((MemorySegment) path).reinterpret(Long.MAX_VALUE).getString(0);
  }
}
