package dev.tailwater.lab.write;

import dev.tailwater.io.mount.NfsMount;
import dev.tailwater.lab.measure.Figures;
import dev.tailwater.lab.result.Recommendation;
import dev.tailwater.lab.result.Recommendation.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Recommendations for the options of a real NFS mount, nfs(5), from the figures of {@code
 * write-size-sync}.
 */
final class NfsAdvice {
  /** The largest wsize that the kernel's client asks for: NFS_MAX_FILE_IO_SIZE. */
  private static final int MAX_WSIZE_BYTES = 1 << 20;

  /** The requests for a MiB if each write of 8 KiB is one request. */
  private static final double EACH_WRITE = 128;

  private final WriteSizeSyncConclusions conclusions;

  NfsAdvice(WriteSizeSyncConclusions conclusions) {
    this.conclusions = conclusions;
  }

  List<Recommendation> recommendations(NfsMount mount) {
    List<Recommendation> all = new ArrayList<>();
    if (mount.wsizeBytes() > 0 && mount.wsizeBytes() < MAX_WSIZE_BYTES) {
      conclusions
          .faster()
          .ifPresent(
              said ->
                  all.add(
                      new Recommendation(
                          Place.HOST,
                          "mount option wsize",
                          String.valueOf(MAX_WSIZE_BYTES),
                          "It is %d now, or the server allows no more; fewer requests are faster. %s"
                              .formatted(mount.wsizeBytes(), said))));
    }
    OptionalDouble requests = conclusions.requests(SyncWay.STREAM);
    if (mount.noAttributeCache() && requests.orElse(0) >= EACH_WRITE) {
      all.add(
          new Recommendation(
              Place.HOST,
              "mount option noac",
              "leave it out if no other client must see changes at once",
              "It makes each write a request: %s of a MiB in writes of 8 KiB."
                  .formatted(Figures.text(requests.getAsDouble()))));
    }
    return all;
  }
}
