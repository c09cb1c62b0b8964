package dev.tailwater.destination.directory;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationContext;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.DestinationProvider;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.UnknownDestinationException;
import dev.tailwater.posix.PosixPath;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/** The provider of {@code file:///dir}; found by the service loader. */
public final class DirectoryProvider implements DestinationProvider {
  @Override
  public Set<String> schemes() {
    return Set.of("file");
  }

  @Override
  public void check(URI uri) throws UnknownDestinationException {
    var _ = pathOf(uri);
  }

  @Override
  public Destination open(URI uri, OpenIntent intent, DestinationContext context)
      throws DestinationException {
    return DirectoryDestination.open(uri, pathOf(uri), intent, context);
  }

  private static PosixPath pathOf(URI uri) throws UnknownDestinationException {
    String authority = uri.getRawAuthority();
    if (authority != null) {
      String host = authority.substring(authority.lastIndexOf('@') + 1);
      throw new UnknownDestinationException(
          URI.create("file:/"),
          "a file URI names a directory of this machine, not of " + host,
          "Write three slashes: file:///dir. Another machine's directory must be mounted here.");
    }
    String path = uri.getRawPath();
    if (path == null || !path.startsWith("/")) {
      throw new UnknownDestinationException(
          uri, "the path is not absolute", "Write file:///dir, or a plain path without file:.");
    }
    if (uri.getRawQuery() != null || uri.getRawFragment() != null) {
      throw new UnknownDestinationException(
          uri,
          "a file URI has no query and no fragment",
          "Write ? as %3F and # as %23, or a plain path without file:.");
    }
    try {
      return PosixPath.of(decode(path));
    } catch (IllegalArgumentException e) {
      throw new UnknownDestinationException(
          uri, "a path cannot contain a NUL byte", "Remove the %00.");
    }
  }

  /**
   * Returns the bytes of a percent-encoded path, without a slash at the end. They need not be
   * UTF-8.
   */
  private static byte[] decode(String rawPath) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    String path = rawPath.replaceFirst("(?<=.)/+$", "");
    for (int i = 0; i < path.length(); ) {
      if (path.charAt(i) == '%') {
        bytes.write(Integer.parseInt(path.substring(i + 1, i + 3), 16));
        i += 3;
      } else {
        int codePoint = path.codePointAt(i);
        bytes.writeBytes(Character.toString(codePoint).getBytes(StandardCharsets.UTF_8));
        i += Character.charCount(codePoint);
      }
    }
    return bytes.toByteArray();
  }
}
