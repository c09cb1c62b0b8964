package dev.tailwater.destination.azure;

import dev.tailwater.destination.DestinationOption;
import java.util.Arrays;
import java.util.List;

/** The table of options in the query of an {@code az:} URI. */
enum AzureOption {
  ENDPOINT(
      "URL",
      "https://ACCOUNT.blob.core.windows.net",
      "Where another server answers, such as http://127.0.0.1:10000. One on loopback takes only"
          + " AZURE_STORAGE_KEY."),
  ACCESS_TIER("Hot|Cool|Cold", "the account's", "Access tier of new objects."),
  ENCRYPTION_SCOPE(
      "NAME", "the container's", "Encryption scope of new objects, for customer-managed keys."),
  METADATA("NAME:VALUE,...", "none", "Metadata of new objects, such as team:web,stage:test."),
  TAGS("NAME:VALUE,...", "none", "Index tags of new objects, such as team:web,stage:test."),
  RETAIN(
      "DAYSd",
      "the container's",
      "Immutability of new segments for so many days, such as 30d; merges nothing by itself."),
  RETAIN_MODE(
      "unlocked|locked",
      "unlocked",
      "Whether nobody, not even the account's owner, can end the immutability earlier.");

  private final DestinationOption option;

  AzureOption(String placeholder, String standard, String meaning) {
    this.option = DestinationOption.of(name(), placeholder, standard, meaning);
  }

  /** Returns the name in the query of a URI: {@code access-tier}. */
  String key() {
    return option.name();
  }

  static List<DestinationOption> all() {
    return Arrays.stream(values()).map(o -> o.option).toList();
  }
}
