package dev.tailwater.cli.estimate;

import dev.tailwater.delivery.pack.PackUse;
import java.util.Optional;

/**
 * One store, and what the configuration does there.
 *
 * @param name for people
 * @param configured the destination of the configuration that it stands for; empty: none
 * @param prices empty: it charges for nothing, or its prices are not known
 * @param usesPacks whether packs are in use there
 * @param otherPacks the same without packs, or else with them; empty: that is not possible
 */
public record EstimatedStore(
    String name,
    Optional<String> configured,
    Optional<StorePrices> prices,
    Terms terms,
    Estimate estimate,
    boolean usesPacks,
    Optional<Estimate> otherPacks) {

  static EstimatedStore of(
      String name,
      Optional<String> configured,
      Optional<StorePrices> prices,
      Terms terms,
      Workload workload,
      boolean packsPossible) {
    boolean usesPacks = terms.usesPacks(workload);
    Terms other = terms.withPacks(usesPacks ? PackUse.NEVER : PackUse.ALWAYS);
    return new EstimatedStore(
        name,
        configured,
        prices,
        terms,
        Estimate.of(workload, terms),
        usesPacks,
        usesPacks || packsPossible ? Optional.of(Estimate.of(workload, other)) : Optional.empty());
  }
}
