package dev.tailwater.lab.measure;

import java.io.File;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The class path of JVMs that the lab starts: that of this JVM, and the JARs of the plug-in if the
 * lab was loaded as one.
 */
public final class ChildClassPath {
  private static final String PROPERTY = "java.class.path";

  private ChildClassPath() {}

  static String text() {
    StringBuilder text = new StringBuilder(System.getProperty(PROPERTY));
    if (ChildClassPath.class.getClassLoader() instanceof URLClassLoader plugin) {
      for (URL jar : plugin.getURLs()) {
        text.append(File.pathSeparator).append(Path.of(URI.create(jar.toString())));
      }
    }
    return text.toString();
  }

  /**
   * Sets the class path that libraries give to the JVMs that they start: JMH to those that it
   * forks, the FUSE stand-in to its server. They take it from this JVM's own property, which the
   * lease restores.
   */
  public static Lease lease() {
    @Nullable String before = System.setProperty(PROPERTY, text());
    return () -> System.setProperty(PROPERTY, String.valueOf(before));
  }

  /** A lease of the property, which is restored by the close. */
  public interface Lease extends AutoCloseable {
    @Override
    void close();
  }
}
