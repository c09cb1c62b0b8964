package dev.tailwater.destination.s3;

import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.cloud.PartSender;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** The requests of one multipart upload, after the one that began it. For one thread at a time. */
final class S3Upload implements PartSender {
  private final UploadRequests requests;
  private final CreateOnly createOnly;
  private final String name;
  private final String uploadId;
  private final List<CompletedPart> parts = new ArrayList<>();
  private long sentBytes;

  S3Upload(UploadRequests requests, CreateOnly createOnly, String name, String uploadId) {
    this.requests = requests;
    this.createOnly = createOnly;
    this.name = name;
    this.uploadId = uploadId;
  }

  @Override
  public void send(ByteBuffer part) {
    parts.add(requests.part(name, uploadId, parts.size() + 1, BufferBody.of(part)));
    sentBytes += part.remaining();
  }

  @Override
  public PutResult finish(ByteBuffer last) throws InterruptedException {
    send(last);
    return createOnly.complete(
        name, onlyIfAbsent -> requests.complete(name, uploadId, parts, sentBytes, onlyIfAbsent));
  }

  @Override
  public void abort() {
    abort(requests, name, uploadId);
  }

  /** Aborts an upload, if it still exists. */
  static void abort(UploadRequests requests, String name, String uploadId) {
    try {
      requests.abort(name, uploadId);
    } catch (S3Exception e) {
      if (e.statusCode() != 404) {
        throw e;
      }
    }
  }
}
