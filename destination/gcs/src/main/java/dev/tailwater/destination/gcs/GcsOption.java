package dev.tailwater.destination.gcs;

import dev.tailwater.destination.DestinationOption;
import java.util.Arrays;
import java.util.List;

/** The table of options in the query of a {@code gs:} URI. */
enum GcsOption {
  ENDPOINT(
      "URL",
      "https://storage.googleapis.com",
      "Where another server answers, such as http://127.0.0.1:4443. One on loopback gets no"
          + " credentials."),
  STORAGE_CLASS("NAME", "the bucket's", "Storage class of new objects, such as NEARLINE."),
  KMS_KEY(
      "NAME",
      "the bucket's",
      "Customer-managed key of new objects:"
          + " projects/PROJECT/locations/PLACE/keyRings/RING/cryptoKeys/KEY."),
  USER_PROJECT("ID", "none", "The project that pays, for buckets where the requester pays."),
  METADATA(
      "NAME:VALUE,...", "none", "Custom metadata of new objects, such as team:web,stage:test."),
  RETAIN(
      "DAYSd",
      "the bucket's",
      "Retention of new segments for so many days, such as 30d; merges nothing by itself."),
  RETAIN_MODE(
      "unlocked|locked",
      "unlocked",
      "Whether nobody, not even the project's owner, can end the retention earlier.");

  private final DestinationOption option;

  GcsOption(String placeholder, String standard, String meaning) {
    this.option = DestinationOption.of(name(), placeholder, standard, meaning);
  }

  /** Returns the name in the query of a URI: {@code storage-class}. */
  String key() {
    return option.name();
  }

  static List<DestinationOption> all() {
    return Arrays.stream(values()).map(o -> o.option).toList();
  }
}
