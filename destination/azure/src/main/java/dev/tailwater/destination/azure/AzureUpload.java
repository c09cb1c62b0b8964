package dev.tailwater.destination.azure;

import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.cloud.PartSender;
import dev.tailwater.destination.cloud.http.HttpFailure;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * An object of blocks, which the list of its blocks makes visible. The service removes blocks that
 * are in no list after a week, or when the object is created; there is no request for that. For one
 * thread at a time.
 */
final class AzureUpload implements PartSender {
  private final AzureRequests requests;
  private final String name;
  private final String upload;
  private final List<String> blockIds = new ArrayList<>();

  /**
   * @param upload an id that no other upload of this object has
   */
  AzureUpload(AzureRequests requests, String name, String upload) {
    this.requests = requests;
    this.name = name;
    this.upload = upload;
  }

  @Override
  public void send(ByteBuffer part) throws InterruptedException {
    String id = "%s-%06d".formatted(upload, blockIds.size());
    String blockId = Base64.getEncoder().encodeToString(id.getBytes(StandardCharsets.US_ASCII));
    requests.block(name, blockId, part);
    blockIds.add(blockId);
  }

  @Override
  public PutResult finish(ByteBuffer last) throws InterruptedException {
    if (last.hasRemaining()) { // A block has at least one byte; no blocks make an empty object.
      send(last);
    }
    try {
      requests.commit(name, blockIds);
      return PutResult.CREATED;
    } catch (HttpFailure e) {
      if (AzureFailures.isExisting(e) && requests.exists(name)) {
        return PutResult.ALREADY_EXISTS;
      }
      throw e;
    }
  }

  @Override
  public void abort() {}
}
