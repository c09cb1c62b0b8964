package dev.tailwater.delivery.control;

import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;

/** The paths of an agent's control socket in its state directory. */
final class ControlSocket {
  private static final String NAME = "agent.sock";

  /** The length of {@code sun_path} in unix(7), without the terminating NUL. */
  static final int MAX_PATH_BYTES = 107;

  private ControlSocket() {}

  static Path path(Path stateDirectory) {
    return stateDirectory.resolve(NAME);
  }

  /** Returns where the socket is created; not longer than its final path. */
  static Path hidden(Path stateDirectory) {
    return stateDirectory.resolve(".bind/s");
  }

  static UnixDomainSocketAddress address(Path stateDirectory) {
    return UnixDomainSocketAddress.of(path(stateDirectory));
  }
}
