package dev.tailwater.destination.azure;

import dev.tailwater.destination.DestinationQuery;
import dev.tailwater.destination.UnknownDestinationException;
import dev.tailwater.destination.cloud.CloudPlace;
import dev.tailwater.destination.cloud.CloudUri;
import dev.tailwater.destination.cloud.Retention;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parsed form of an {@code az:} URI.
 *
 * @param place the canonical URI and the prefix of every name
 * @param account the storage account
 * @param container the name of the container
 * @param endpoint of the account, without a slash at its end; it has the account in its host or,
 *     for an emulator, in its path
 * @param accessTier of new objects; empty for the account's default
 * @param encryptionScope of new objects; empty for the container's default
 * @param metadata of new objects
 * @param tags of new objects
 * @param retention of new objects that never change; empty for the container's default
 */
record AzurePlace(
    CloudPlace place,
    String account,
    String container,
    URI endpoint,
    Optional<String> accessTier,
    Optional<String> encryptionScope,
    Map<String, String> metadata,
    Map<String, String> tags,
    Optional<Retention> retention) {
  private static final CloudUri URIS =
      new CloudUri("az", "az://account/container or az://account/container/prefix");

  /**
   * See <a
   * href="https://learn.microsoft.com/en-us/azure/storage/common/storage-account-overview">account
   * names</a>.
   */
  private static final Pattern ACCOUNT = Pattern.compile("[a-z0-9]{3,24}");

  /** Letters, digits and single hyphens, 3 to 63 of them; then the prefix. */
  private static final Pattern PATH =
      Pattern.compile("/((?=.{3,63}(?:/|$))[a-z0-9]+(?:-[a-z0-9]+)*)(/.*)?");

  /** What is in the archive tier cannot be read before hours of rehydration. */
  private static final Set<String> TIERS = Set.of("Hot", "Cool", "Cold");

  AzurePlace {
    metadata = Map.copyOf(metadata);
    tags = Map.copyOf(tags);
  }

  static AzurePlace parse(URI uri) throws UnknownDestinationException {
    DestinationQuery query = DestinationQuery.parse(uri, AzureOption.all());
    @Nullable String account = uri.getRawAuthority();
    if (account == null || !ACCOUNT.matcher(account).matches()) {
      throw URIS.refused("there is no legal name of a storage account in the URI");
    }
    Matcher path = PATH.matcher(String.valueOf(uri.getPath()));
    if (!path.matches()) {
      throw URIS.refused("there is no legal name of a container in the URI");
    }
    String container = path.group(1);
    @Nullable String rest = path.group(2);
    String prefix = URIS.prefix(rest == null ? "" : rest);
    Optional<String> tier = query.value(AzureOption.ACCESS_TIER.key());
    if (tier.isPresent() && !TIERS.contains(tier.get())) {
      throw query.wrong(AzureOption.ACCESS_TIER.key(), "Hot, Cool or Cold");
    }
    Map<String, String> metadata = CloudUri.metadata(query, AzureOption.METADATA.key());
    if (metadata.keySet().stream().anyMatch(name -> name.contains("-"))) {
      throw query.wrong(AzureOption.METADATA.key(), "names of letters, digits and _");
    }
    Optional<Retention> retention =
        Retention.of(
            query, AzureOption.RETAIN.key(), AzureOption.RETAIN_MODE.key(), "unlocked", "locked");
    URI canonical = URIS.canonical(account + "/" + container, prefix, query);
    return new AzurePlace(
        new CloudPlace(canonical, prefix, retention.isPresent()),
        account,
        container,
        endpoint(account, query),
        tier,
        CloudUri.word(query, AzureOption.ENCRYPTION_SCOPE.key()),
        metadata,
        CloudUri.tags(query, AzureOption.TAGS.key()),
        retention);
  }

  private static URI endpoint(String account, DestinationQuery query)
      throws UnknownDestinationException {
    Optional<URI> given =
        CloudUri.safeEndpoint(query, AzureOption.ENDPOINT.key(), "http://127.0.0.1:10000");
    if (given.isEmpty()) {
      return URI.create("https://" + account + ".blob.core.windows.net");
    }
    return given.get().getHost().startsWith(account + ".")
        ? given.get()
        : URI.create(given.get() + "/" + account);
  }

  /** Returns whether the server is on this machine, which gets no token. */
  boolean isOnLoopback() {
    return CloudUri.isLoopback(endpoint);
  }
}
