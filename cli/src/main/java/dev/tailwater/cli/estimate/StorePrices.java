package dev.tailwater.cli.estimate;

/**
 * The list prices of one store, without transfer.
 *
 * @param name for people
 * @param kind of the destinations that it stands for
 * @param region in which they hold
 * @param putPer1000 for a thousand requests that write; the others likewise
 * @param gibMonth for a GiB that is there for a month
 */
public record StorePrices(
    String name,
    StoreKind kind,
    String region,
    double putPer1000,
    double listPer1000,
    double getPer1000,
    double deletePer1000,
    double gibMonth) {
  private static final double GIBIBYTE = 1 << 30;
  private static final double THOUSAND = 1000;

  /** The objects that one request lists. */
  static final double OBJECTS_EACH_LIST = 1000;

  /** Returns the price of the requests of a month. */
  public double requests(Estimate estimate) {
    return estimate.putsPerMonth() * putPer1000 / THOUSAND
        + estimate.deletesPerMonth() * deletePer1000 / THOUSAND;
  }

  /** Returns the price of what a month adds, for one month. */
  public double storage(Estimate estimate) {
    return estimate.storedBytesPerMonth() / GIBIBYTE * gibMonth;
  }

  /** Returns the price of both. */
  public double total(Estimate estimate) {
    return requests(estimate) + storage(estimate);
  }

  /** Returns the price of the requests that restore what a month adds. */
  public double restore(Estimate estimate) {
    double objects = estimate.objectsPerMonth();
    return lists(objects) * listPer1000 / THOUSAND + objects * getPer1000 / THOUSAND;
  }

  /** Returns how many requests list so many objects. */
  static double lists(double objects) {
    return Math.ceil(objects / OBJECTS_EACH_LIST);
  }
}
