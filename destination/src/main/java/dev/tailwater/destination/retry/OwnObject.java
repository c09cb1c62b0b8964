package dev.tailwater.destination.retry;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.NoSuchObjectException;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.RefusedDestinationException;
import dev.tailwater.destination.TransientDestinationException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/**
 * Puts of objects that are never replaced. A put may reach the server twice, since its answer was
 * lost or a proxy repeats it; then the object that is there already is this one.
 */
public final class OwnObject {

  private OwnObject() {}

  /**
   * Creates an object, or finds that it is there.
   *
   * @param content small, since it is compared as a whole
   * @return whether the object has this content; false too where an object exists that may not be
   *     read
   * @throws DestinationException it could not be put, or what is there could not be read now
   */
  public static boolean put(Destination destination, String key, ByteBuffer content)
      throws DestinationException {
    return destination.putSegment(key, content.duplicate()) == PutResult.CREATED
        || isThere(destination, key, content);
  }

  private static boolean isThere(Destination destination, String key, ByteBuffer content)
      throws DestinationException {
    // One more byte, so that a longer object is another one.
    int wanted = content.remaining() + 1;
    try (InputStream object = destination.read(key, 0, wanted)) {
      return ByteBuffer.wrap(object.readNBytes(wanted)).equals(content);
    } catch (RefusedDestinationException e) {
      return false;
    } catch (NoSuchObjectException e) {
      throw new TransientDestinationException(
          destination.uri(),
          "put",
          key,
          "it was there and is gone",
          DestinationException.MAY_PASS,
          e);
    } catch (DestinationException e) {
      throw e;
    } catch (IOException e) {
      throw TransientDestinationException.whileReading(destination.uri(), key, e);
    }
  }
}
