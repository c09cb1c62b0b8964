package dev.tailwater.destination.gcs;

import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.cloud.Crc32cText;
import dev.tailwater.destination.cloud.PartSender;
import dev.tailwater.destination.cloud.http.HttpAnswer;
import dev.tailwater.destination.cloud.http.HttpFailure;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * A resumable upload. The object becomes visible with the last part; the service forgets a session
 * that was not completed after a week, and bills nothing for it. For one thread at a time.
 */
final class GcsUpload implements PartSender {
  private static final int PRECONDITION_FAILED = 412;

  /** What a server answers for a session that has ended: 499 is the answer to ending it. */
  private static final Set<Integer> OVER = Set.of(404, 410, 499);

  private final GcsRequests requests;
  private final String name;
  private final URI session;
  private final CRC32C crc32c = new CRC32C();
  private long sentBytes;

  GcsUpload(GcsRequests requests, String name, URI session) {
    this.requests = requests;
    this.name = name;
    this.session = session;
  }

  @Override
  public void send(ByteBuffer part) throws InterruptedException {
    crc32c.update(part.duplicate());
    requests.part(session, sentBytes, part);
    sentBytes += part.remaining();
  }

  @Override
  public PutResult finish(ByteBuffer last) throws InterruptedException {
    crc32c.update(last.duplicate());
    String sent = Crc32cText.of(crc32c);
    HttpAnswer answer;
    try {
      answer = requests.lastPart(session, sentBytes, last, sent);
    } catch (HttpFailure e) {
      if (e.hasStatus(PRECONDITION_FAILED)) {
        return PutResult.ALREADY_EXISTS;
      }
      throw e;
    }
    requireSame(sent, GcsJson.stored(answer));
    return PutResult.CREATED;
  }

  /** Removes the object again if a server that does not compare the checksum has other bytes. */
  private void requireSame(String sent, GcsJson.Stored stored) throws InterruptedException {
    if (stored.crc32c().isPresent() && !stored.crc32c().get().equals(sent)) {
      if (stored.generation().isPresent()) {
        requests.delete(name, stored.generation());
      }
      throw new HttpFailure(
          new IOException(
              "the bytes were damaged on their way: crc32c is "
                  + stored.crc32c().get()
                  + " there and "
                  + sent
                  + " here"));
    }
  }

  @Override
  public void abort() throws InterruptedException {
    HttpAnswer answer = requests.cancel(session);
    if (!answer.isSuccess() && !OVER.contains(answer.status())) {
      throw new HttpFailure(GcsJson.error(answer));
    }
  }
}
