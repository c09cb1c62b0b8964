package dev.tailwater.cli.host;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} says. */
public final class Version implements IVersionProvider {

  /** The version that the build wrote down. */
  public static String number() throws IOException {
    try (@Nullable InputStream resource = Version.class.getResourceAsStream("version.properties")) {
      Properties properties = new Properties();
      if (resource != null) {
        properties.load(resource);
      }
      return properties.getProperty("version", "unknown");
    }
  }

  @Override
  public String[] getVersion() throws IOException {
    return new String[] {
      "tailwater " + number(),
      "Java " + Runtime.version() + " (" + System.getProperty("java.vendor") + ")"
    };
  }
}
