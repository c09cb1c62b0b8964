package dev.tailwater.delivery.pack;

import dev.tailwater.archive.seal.SealedPack;
import dev.tailwater.delivery.measure.UplinkMeter;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.TransientDestinationException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/** Puts packs. Thread-safe. */
public final class PackPut {
  private static final int COMPARED_BYTES = 8 * 1024;
  private static final String SOMEBODY =
      "See whether somebody writes to the archive under this agent's name, and restart the agent.";

  private final Destination destination;
  private final UplinkMeter uplink;
  private final String hint;

  private PackPut(Destination destination, UplinkMeter uplink, String consequence) {
    this.destination = destination;
    this.uplink = uplink;
    this.hint = consequence + " " + SOMEBODY;
  }

  /** Puts packs with bytes that are nowhere else yet. */
  public static PackPut ofFresh(Destination destination, UplinkMeter uplink) {
    return new PackPut(destination, uplink, "These bytes are not in the archive and stay at risk.");
  }

  /** Puts packs with bytes that other packs have. */
  public static PackPut ofMerged(Destination destination, UplinkMeter uplink) {
    return new PackPut(destination, uplink, "The packs that were to become one stay as they are.");
  }

  /** Puts a pack once; returns when it is durable. */
  public void put(SealedPack pack) throws DestinationException {
    if (!isPut(pack)) {
      throw refusal(pack);
    }
  }

  /**
   * Puts a pack once; false when an object of its name has other bytes. Otherwise that is what an
   * earlier attempt has put whose answer was lost, since names are random.
   */
  public boolean isPut(SealedPack pack) throws DestinationException {
    return send(pack) == PutResult.CREATED || isOwn(pack);
  }

  /** Returns what is to be said of a pack whose name is taken. */
  public PermanentDestinationException refusal(SealedPack pack) {
    return new PermanentDestinationException(
        destination.uri(),
        "put",
        pack.name().key(),
        "there is an object of that name with other bytes",
        hint);
  }

  private boolean isOwn(SealedPack pack) throws DestinationException {
    int wanted = Math.min(COMPARED_BYTES, pack.lengthBytes());
    ByteBuffer begins = ByteBuffer.wrap(pack.staging(), pack.from(), wanted);
    try (InputStream object = destination.read(pack.name().key(), 0, wanted)) {
      return ByteBuffer.wrap(object.readNBytes(wanted)).equals(begins);
    } catch (DestinationException e) {
      throw e;
    } catch (IOException e) {
      throw new TransientDestinationException(
          destination.uri(),
          "read",
          pack.name().key(),
          String.valueOf(e.getMessage()),
          DestinationException.MAY_PASS,
          e);
    }
  }

  private PutResult send(SealedPack pack) throws DestinationException {
    long arrivedBytes = 0;
    uplink.begin();
    try {
      PutResult result = destination.putSegment(pack.name().key(), pack.content());
      arrivedBytes = pack.lengthBytes();
      return result;
    } finally {
      uplink.end(arrivedBytes);
    }
  }
}
