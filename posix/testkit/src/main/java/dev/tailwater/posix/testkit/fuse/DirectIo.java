package dev.tailwater.posix.testkit.fuse;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Method;
import org.cryptomator.jfuse.api.FuseConfig;

/**
 * A setter for {@code direct_io} of fuse_config (fuse.h). jfuse 0.7.3 reads the field but has no
 * setter, so this class calls the generated accessor of the struct by reflection.
 */
final class DirectIo {
  private DirectIo() {}

  static void set(FuseConfig config, boolean wanted) {
    try {
      Method segment = config.getClass().getMethod("segment");
      segment.setAccessible(true);
      Class<?> struct =
          Class.forName(config.getClass().getPackageName() + ".extr.fuse3.fuse_config");
      Method setter = struct.getDeclaredMethod("direct_io", MemorySegment.class, int.class);
      setter.setAccessible(true);
      setter.invoke(null, segment.invoke(config), wanted ? 1 : 0);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("this version of jfuse keeps fuse_config elsewhere", e);
    }
    if ((config.directIo() != 0) != wanted) {
      throw new LinkageError("direct_io could not be set");
    }
  }
}
