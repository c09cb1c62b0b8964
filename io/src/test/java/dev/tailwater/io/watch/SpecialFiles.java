package dev.tailwater.io.watch;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;

/** Files that are neither regular files nor directories. */
final class SpecialFiles {
  private SpecialFiles() {}

  /** Makes a Unix socket that nobody listens at. */
  static void makeSocket(Path path) throws IOException {
    try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      socket.bind(UnixDomainSocketAddress.of(path));
    }
  }
}
