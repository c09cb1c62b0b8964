package dev.tailwater.cli.estimate;

import dev.tailwater.archive.Codec;
import dev.tailwater.cli.config.Contradiction;
import dev.tailwater.cli.config.DestinationSetting;
import dev.tailwater.cli.config.ShipKey;
import dev.tailwater.cli.config.ShipSettings;
import dev.tailwater.cli.config.SourceSetting;
import dev.tailwater.cli.host.DestinationText;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.value.ByteSizes;
import dev.tailwater.cli.value.Durations;
import dev.tailwater.cli.value.Secrets;
import dev.tailwater.delivery.config.CutAt;
import dev.tailwater.delivery.pack.PackUse;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The settings of a user, applied to the destinations that are configured and to the common stores.
 * Asks no destination: what it recommends follows from its kind.
 */
public final class EstimatePlan {
  /** What zstd makes of most logs. */
  private static final double USUAL_RATIO = 0.2;

  /** What the header of an object and the frames around it take. */
  private static final int OVERHEAD_BYTES = 160;

  /** The same with the header and the tags of age, for one recipient. */
  private static final int ENCRYPTED_OVERHEAD_BYTES = 410;

  private static final double MOST_BYTES = 0x1p63;

  private final ShipSettings settings;
  private final PriceTable prices;
  private final Workload workload;
  private final double ratio;
  private final List<Place> places;
  private final Optional<Contradiction> packsContradiction;

  /** A destination of the configuration. */
  private record Place(String text, URI uri, StoreKind kind) {
    boolean has(String... options) {
      String query = "&" + Optional.ofNullable(uri.getRawQuery()).orElse("");
      for (String option : options) {
        if (query.contains("&" + option + "=")) {
          return true;
        }
      }
      return false;
    }
  }

  /**
   * Creates a plan.
   *
   * @param ratio stored bytes for each byte that is written; empty: what is usual for the codec
   */
  public EstimatePlan(
      ShipSettings settings,
      PriceTable prices,
      Workload workload,
      OptionalDouble ratio,
      Surroundings surroundings) {
    this.settings = settings;
    this.prices = prices;
    this.workload = workload;
    this.ratio = settings.compress() instanceof Codec.Store ? 1 : ratio.orElse(USUAL_RATIO);
    this.places =
        settings.destinations().stream().map(setting -> place(setting, surroundings)).toList();
    this.packsContradiction =
        new ShipSettings.Builder(settings).set(ShipKey.PACKS, "on").contradiction();
  }

  private static Place place(DestinationSetting setting, Surroundings surroundings) {
    URI uri = DestinationText.parse(setting.place(), surroundings);
    return new Place(Secrets.mask(setting.place()), uri, StoreKind.of(uri.getScheme()));
  }

  public PriceTable prices() {
    return prices;
  }

  public Workload workload() {
    return workload;
  }

  public double ratio() {
    return ratio;
  }

  /** Whether what a month stores is small enough to be counted: less than 8 EiB in each store. */
  public boolean isCountable() {
    return stores().stream().allMatch(store -> store.estimate().storedBytesPerMonth() < MOST_BYTES);
  }

  /** Returns why {@code packs: on} is not possible; empty if it is. */
  public Optional<String> packsRefusal() {
    return packsContradiction.map(Contradiction::message);
  }

  /** Returns the configured destinations, in their order, then the other stores of the table. */
  public List<EstimatedStore> stores() {
    List<EstimatedStore> stores = new ArrayList<>();
    List<StorePrices> used = new ArrayList<>();
    for (Place place : places) {
      Optional<StorePrices> own = prices.first(place.kind());
      own.ifPresent(used::add);
      String title =
          place.kind() == StoreKind.OTHER ? place.uri().getScheme() : place.kind().title();
      stores.add(
          store(
              own.map(StorePrices::name).orElse(title),
              Optional.of(place.text()),
              own,
              terms(place)));
    }
    for (StorePrices common : prices.stores()) {
      if (!used.contains(common)) {
        stores.add(
            store(common.name(), Optional.empty(), Optional.of(common), terms(common.kind())));
      }
    }
    return stores;
  }

  private EstimatedStore store(
      String name, Optional<String> configured, Optional<StorePrices> own, Terms terms) {
    return EstimatedStore.of(name, configured, own, terms, workload, packsContradiction.isEmpty());
  }

  /** All destinations of an agent get the longest age that one of them recommends. */
  private Terms terms(Place place) {
    Duration longest =
        places.stream()
            .map(one -> one.kind().maxAge())
            .max(Comparator.naturalOrder())
            .orElseThrow();
    // As the destination itself has it: what is retained is not worth merging.
    long mergeBytes = place.has("retain") ? 0 : place.kind().mergeBytes();
    return terms(place.kind(), longest, mergeBytes);
  }

  private Terms terms(StoreKind kind) {
    return terms(kind, kind.maxAge(), kind.mergeBytes());
  }

  private Terms terms(StoreKind kind, Duration recommendedAge, long recommendedMergeBytes) {
    return new Terms(
        kind,
        settings.maxAge().orElse(recommendedAge),
        settings.segmentSizeBytes(),
        settings.mergeToBytes().orElse(recommendedMergeBytes),
        packUse(),
        ratio,
        overheadBytes());
  }

  /** Returns when an agent with these settings makes packs: not where it could not read them. */
  private PackUse packUse() {
    boolean readableLater = settings.encryptTo().isEmpty() || settings.contentCheck();
    boolean possible =
        readableLater && !(settings.compress() instanceof Codec.Gzip) && !isCutAtNewline(true);
    return settings.packs().isAlways() || possible ? settings.packs() : PackUse.NEVER;
  }

  /** Returns whether all sources, or any, are cut at the ends of lines. */
  private boolean isCutAtNewline(boolean all) {
    Predicate<SourceSetting> atNewline = source -> source.cutAt() == CutAt.NEWLINE;
    return all
        ? settings.sources().stream().allMatch(atNewline)
        : settings.sources().stream().anyMatch(atNewline);
  }

  private int overheadBytes() {
    return settings.encryptTo().isEmpty() ? OVERHEAD_BYTES : ENCRYPTED_OVERHEAD_BYTES;
  }

  /** Returns what the calculation takes for granted, a sentence or two each. */
  public List<String> assumptions() {
    List<String> all = new ArrayList<>();
    all.add("The files grow like this all day. Files that do not grow cost nothing.");
    all.add(
        "Settings: max_age %s, segment_size %s, merge_to %s, packs %s, compress %s."
            .formatted(
                settings.maxAge().map(Durations::format).orElseGet(this::recommendedAges),
                ByteSizes.format(settings.segmentSizeBytes()),
                mergeTo(),
                packs(),
                settings.compress()));
    all.add(
        String.format(
            Locale.ROOT,
            "An object takes %s bytes for each byte written%s, and %d bytes more. Short objects"
                + " compress worse than long ones.",
            number(ratio),
            settings.compress() instanceof Codec.Store ? "" : " (--ratio)",
            overheadBytes()));
    all.add(
        "STORED is what a month adds, and STORAGE its price for one month. Each further month costs"
            + " that again.");
    all.add(
        "While it ships, the agent lists and reads nothing. Merging stops at 8 MiB of a file or 4 MiB of packs.");
    all.add("A signed receipt a minute, which says what was delivered, is counted as well.");
    exceptions(all);
    all.add(
        "List prices in %s of %s (%s), without transfer, taxes and discounts. Compare them with"
                .formatted(prices.currency(), prices.date(), regions())
            + " the provider's page; --prices FILE replaces them.");
    return all;
  }

  private void exceptions(List<String> all) {
    if (settings.maxAtRisk().bytes().isPresent()) {
      all.add("What max_at_risk makes the agent read earlier is not counted.");
    }
    boolean mixed = isCutAtNewline(false) && !isCutAtNewline(true);
    if (mixed && !settings.packs().isAlways() && stores().getFirst().usesPacks()) {
      all.add("Files with cut_at: newline are counted in packs; with packs: auto they are not.");
    }
    for (Place place : places) {
      if (place.has("retain") && settings.mergeToBytes().isEmpty()) {
        all.add(place.text() + ": retained objects are not merged.");
      }
      if (place.has("endpoint", "storage-class", "tier")
          && prices.first(place.kind()).isPresent()) {
        all.add(
            place.text()
                + ": priced as "
                + prices.first(place.kind()).orElseThrow().name()
                + ", although its options name another server or class.");
      }
    }
  }

  private String recommendedAges() {
    Map<Duration, List<String>> names = new LinkedHashMap<>();
    for (EstimatedStore store : stores()) {
      names.computeIfAbsent(store.terms().maxAge(), age -> new ArrayList<>()).add(store.name());
    }
    List<String> ages = new ArrayList<>();
    names.forEach(
        (age, stores) ->
            ages.add(
                Durations.format(age)
                    + (names.size() == 1 ? "" : " for " + String.join(" and ", stores))));
    return String.join(", ", ages);
  }

  private String packs() {
    if (settings.packs().isAlways() || settings.packs().isNever()) {
      return settings.packs().isNever() ? "off" : "on";
    }
    return stores().getFirst().usesPacks() ? "auto (in use)" : "auto (not in use)";
  }

  private String mergeTo() {
    long bytes = settings.mergeToBytes().orElse(-1);
    return bytes < 0 ? "as each store recommends" : bytes == 0 ? "off" : ByteSizes.format(bytes);
  }

  private String regions() {
    return prices.stores().stream()
        .map(store -> store.name() + " " + store.region())
        .collect(Collectors.joining(", "));
  }

  private static String number(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }
}
