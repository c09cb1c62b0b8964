package dev.tailwater.destination.hdfs;

import dev.tailwater.destination.DestinationTraining;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/**
 * The training of the start-up cache: a port at which nobody answers, since a cluster in memory
 * would be a cluster. The client loads most of its classes until it finds that out. Found by the
 * service loader.
 */
public final class HdfsTraining implements DestinationTraining {
  @Override
  public String scheme() {
    return "hdfs";
  }

  @Override
  public Place begin() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    return new Nobody("hdfs://127.0.0.1:" + port + "/archive");
  }

  private record Nobody(String uri) implements Place {
    @Override
    public boolean serves() {
      return false;
    }

    @Override
    public void close() {}
  }
}
