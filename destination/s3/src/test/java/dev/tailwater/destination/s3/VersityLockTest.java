package dev.tailwater.destination.s3;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.destination.PutResult;
import dev.tailwater.destination.SegmentUpload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ObjectLockRetentionMode;
import software.amazon.awssdk.services.s3.model.Tag;

/** Object Lock and tags on a real server. */
@ExtendWith(VersityServer.class)
class VersityLockTest {
  private final S3Server server;
  private final String bucket = "b-" + UUID.randomUUID();

  VersityLockTest(S3Server server) {
    this.server = server;
    try (S3Client client = server.client()) {
      client.createBucket(r -> r.bucket(bucket).objectLockEnabledForBucket(true));
    }
  }

  private Destination open(Map<String, String> options) throws IOException {
    return server.open(bucket + "/p", options);
  }

  @Test
  void nobodyCanRemoveASegmentThatIsLocked() throws IOException {
    byte[] content = {1, 2, 3};
    try (Destination place = open(Map.of("retain", "2d", "retain-mode", "compliance"));
        S3Client client = server.client()) {
      assertEquals(PutResult.CREATED, place.putSegment("segment", ByteBuffer.wrap(content)));
      assertEquals(PutResult.ALREADY_EXISTS, place.putSegment("segment", ByteBuffer.wrap(content)));
      var retention = client.getObjectRetention(r -> r.bucket(bucket).key("p/segment")).retention();
      assertEquals(ObjectLockRetentionMode.COMPLIANCE, retention.mode());
      Duration lasts = Duration.between(Instant.now(), retention.retainUntilDate());
      assertTrue(lasts.compareTo(Duration.ofDays(1)) > 0, lasts::toString);
      PermanentDestinationException refused =
          assertThrows(PermanentDestinationException.class, () -> place.delete("segment"));
      assertTrue(refused.getMessage().contains("403"), refused.getMessage());
      try (var stream = place.read("segment", 0, 10)) {
        assertArrayEquals(content, stream.readAllBytes());
      }
      place.putObject("stream.json", new byte[] {1});
      place.putObject("stream.json", new byte[] {2});
      place.delete("stream.json");
    }
  }

  @Test
  void whatIsSentInPartsIsLockedToo() throws IOException {
    try (Destination place = open(Map.of("retain", "2d", "tags", "team:web"));
        S3Client client = server.client()) {
      try (SegmentUpload upload = place.beginSegment("agent/long")) {
        upload.write(ByteBuffer.allocate(S3Store.PART_BYTES + 1));
        assertEquals(PutResult.CREATED, upload.commit());
      }
      var retention =
          client.getObjectRetention(r -> r.bucket(bucket).key("p/agent/long")).retention();
      assertEquals(ObjectLockRetentionMode.GOVERNANCE, retention.mode());
      assertEquals(
          List.of(Tag.builder().key("team").value("web").build()),
          client.getObjectTagging(r -> r.bucket(bucket).key("p/agent/long")).tagSet());
    }
  }

  @Test
  void everyNewObjectHasTheTags() throws IOException {
    try (Destination place = open(Map.of("tags", "team:web,cost%20center:a/b"));
        S3Client client = server.client()) {
      place.putSegment("segment", ByteBuffer.wrap(new byte[1]));
      place.putObject("stream.json", new byte[1]);
      for (String key : List.of("p/segment", "p/stream.json")) {
        List<Tag> tags = client.getObjectTagging(r -> r.bucket(bucket).key(key)).tagSet();
        assertEquals(2, tags.size(), tags::toString);
        assertTrue(tags.contains(Tag.builder().key("cost center").value("a/b").build()));
      }
    }
  }
}
