package dev.tailwater.cli.host;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IVersionProvider;

/** The version of the program, for {@code --version}. */
public final class Version implements IVersionProvider {

  /** Returns the version that the build recorded. */
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
