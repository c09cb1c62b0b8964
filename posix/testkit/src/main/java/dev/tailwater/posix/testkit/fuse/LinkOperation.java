package dev.tailwater.posix.testkit.fuse;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.cryptomator.jfuse.api.Fuse;

/**
 * The callback {@code link} of fuse_operations (fuse.h), by which a file gets a second name: jfuse
 * 0.7.3 has a method for it and no way to say that it is there, so the generated accessors of the
 * struct are called by reflection.
 */
final class LinkOperation {
  private LinkOperation() {}

  /** Makes a link. */
  interface Handler {
    /**
     * Returns 0, or an errno as a negative number.
     *
     * @param from absolute below the mount point, as is the other
     */
    int link(String from, String to);
  }

  /** To be called before the mount. */
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
