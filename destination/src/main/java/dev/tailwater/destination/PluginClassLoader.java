package dev.tailwater.destination;

import java.net.URL;
import java.net.URLClassLoader;

/**
 * The class loader of a plug-in. It finds the JDK's classes, the program's interfaces, and the
 * classes of the plug-in's own JARs.
 *
 * <p>The program's class loader is not its parent, so the plug-in does not see the libraries of the
 * program and may use other versions of them. A copy of the interfaces in the plug-in's JARs is
 * ignored, since the plug-in must implement the very classes that the program has loaded.
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
    // Not all packages below it, since they contain the destinations.
    return (name.startsWith(DESTINATION) && name.indexOf('.', DESTINATION.length()) < 0)
        || name.startsWith(DESTINATION + "cloud.")
        || name.startsWith("dev.tailwater.posix.")
        || name.startsWith("dev.tailwater.io.");
  }
}
