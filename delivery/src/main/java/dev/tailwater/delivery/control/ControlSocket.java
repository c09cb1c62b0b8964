package dev.tailwater.delivery.control;

import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;

/** Where a state directory's agent listens. */
final class ControlSocket {
  private static final String NAME = "agent.sock";

  /** Of {@code sun_path} in unix(7), without the closing NUL. */
  static final int MAX_PATH_BYTES = 107;

  private ControlSocket() {}

  static Path path(Path stateDirectory) {
    return stateDirectory.resolve(NAME);
  }

  /** Where it is made; not longer than its name. */
  static Path hidden(Path stateDirectory) {
    return stateDirectory.resolve(".bind/s");
  }

  static UnixDomainSocketAddress address(Path stateDirectory) {
    return UnixDomainSocketAddress.of(path(stateDirectory));
  }
}
