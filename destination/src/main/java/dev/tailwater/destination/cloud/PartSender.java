package dev.tailwater.destination.cloud;

import dev.tailwater.destination.PutResult;
import java.nio.ByteBuffer;

/** The requests of one object that is sent in parts, in their order. For one thread at a time. */
public interface PartSender {
  /** Sends a part that is not the last, of {@link ObjectStore#partBytes} bytes. */
  void send(ByteBuffer part) throws InterruptedException;

  /** Sends the last part, which is not empty, and creates the object unless it exists. */
  PutResult finish(ByteBuffer last) throws InterruptedException;

  /** Removes what was sent, as far as the store can do that. Works after a failed request too. */
  void abort() throws InterruptedException;
}
