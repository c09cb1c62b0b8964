package dev.tailwater.destination;

import java.net.URL;
import java.net.URLClassLoader;

/**
 * The classes of one plug-in: the JDK's, the program's interfaces, and those of its own JARs.
 *
 * <p>The program's class loader is not its parent, so whatever library the program uses, in
 * whatever version, the plug-in neither sees nor is disturbed by. A copy of the interfaces among
 * its JARs is passed over: they must be the very classes that the program knows.
 */
final class PluginClassLoader extends URLClassLoader {
  static {
    registerAsParallelCapable();
  }

  private static final String DESTINATION = "dev.tailwater.destination.";

  private final ClassLoader program;

  PluginClassLoader(String name, URL[] jars, ClassLoader program) {
    super("tailwater-" + name, jars, ClassLoader.getPlatformClassLoader());
    this.program = program;
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    return isInterface(name) ? program.loadClass(name) : super.findClass(name);
  }

  private static boolean isInterface(String name) {
    // Not the packages below: there the destinations themselves live.
    return (name.startsWith(DESTINATION) && name.indexOf('.', DESTINATION.length()) < 0)
        || name.startsWith("dev.tailwater.posix.")
        || name.startsWith("dev.tailwater.io.");
  }
}
