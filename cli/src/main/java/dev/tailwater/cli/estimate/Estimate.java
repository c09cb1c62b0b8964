package dev.tailwater.cli.estimate;

/**
 * What an agent does at one destination while files grow steadily.
 *
 * @param putsPerSecond requests that deliver fresh bytes or write receipts
 * @param mergePutsPerSecond requests that write merged objects
 * @param deletesPerSecond requests that remove what was merged
 * @param objectsPerSecond how many objects stay, once they are merged
 * @param waitingObjects how many more there are, which wait to be merged
 * @param storedBytesPerSecond the bytes of the objects that stay
 */
public record Estimate(
    double putsPerSecond,
    double mergePutsPerSecond,
    double deletesPerSecond,
    double objectsPerSecond,
    double waitingObjects,
    double storedBytesPerSecond) {
  /** The month of the calculation. */
  public static final int DAYS_PER_MONTH = 30;

  static final double SECONDS_PER_HOUR = 3600;
  static final double SECONDS_PER_MONTH = DAYS_PER_MONTH * 24 * SECONDS_PER_HOUR;

  /** What a range takes in the directory of a pack. */
  static final double BYTES_EACH_RANGE = 11;

  /** No segment or pack has more than this of files. */
  private static final double MOST_RAW_BYTES = 64 << 20;

  private static final double SECONDS_BETWEEN_RECEIPTS = 60;

  /** As {@code ReceiptWriter} has it: so many receipts become one, and so many of these again. */
  private static final double RECEIPTS_MERGED = 64;

  private static final Estimate NOTHING = new Estimate(0, 0, 0, 0, 0, 0);

  /** Calculates. */
  public static Estimate of(Workload workload, Terms terms) {
    double fullBytes = Math.min(terms.segmentBytes() / terms.ratio(), MOST_RAW_BYTES);
    boolean packs = terms.usesPacks(workload);
    Estimate sum = NOTHING;
    double packedBytesPerSecond = 0;
    double packedRangesPerSecond = 0;
    for (Workload.Growth growth : workload.growths()) {
      double agedBytes = growth.bytesPerSecond() * terms.maxAgeSeconds();
      if (packs && agedBytes < fullBytes) {
        packedBytesPerSecond += growth.allBytesPerSecond();
        packedRangesPerSecond += growth.files() * byAgePerSecond(growth.bytesPerSecond(), terms);
      } else {
        sum =
            sum.plus(
                segments(growth.bytesPerSecond(), fullBytes, terms).times((double) growth.files()));
      }
    }
    if (packedBytesPerSecond > 0) {
      sum = sum.plus(packs(packedBytesPerSecond, packedRangesPerSecond, fullBytes, terms));
    }
    return sum.plus(receipts(sum.putsPerSecond()));
  }

  /** Whatever is delivered, a receipt a minute says so. Their bytes are too few to count. */
  private static Estimate receipts(double putsPerSecond) {
    double receipts = Math.min(1 / SECONDS_BETWEEN_RECEIPTS, putsPerSecond);
    double merged = receipts / RECEIPTS_MERGED;
    double mergedAgain = merged / RECEIPTS_MERGED;
    return new Estimate(
        receipts, merged + mergedAgain, receipts + merged, mergedAgain, RECEIPTS_MERGED - 1, 0);
  }

  /** Returns how often something is cut that is full, or has something at {@code max_age}. */
  private static double cutsPerSecond(double bytesPerSecond, double fullBytes, Terms terms) {
    return Math.max(byAgePerSecond(bytesPerSecond, terms), bytesPerSecond / fullBytes);
  }

  /** Returns how often something reaches {@code max_age}: never more often than a byte comes. */
  private static double byAgePerSecond(double bytesPerSecond, Terms terms) {
    return Math.min(1 / terms.maxAgeSeconds(), bytesPerSecond);
  }

  private static Estimate segments(double bytesPerSecond, double fullBytes, Terms terms) {
    double puts = cutsPerSecond(bytesPerSecond, fullBytes, terms);
    Merging merging = Merging.ofSegments(bytesPerSecond / puts, terms);
    return of(puts, merging, bytesPerSecond * terms.ratio(), terms.overheadBytes());
  }

  private static Estimate packs(
      double bytesPerSecond, double rangesPerSecond, double fullBytes, Terms terms) {
    double puts = cutsPerSecond(bytesPerSecond, fullBytes, terms);
    double ranges = Math.max(1, rangesPerSecond / puts);
    double rawBytes = bytesPerSecond / puts;
    double overheadBytes = terms.overheadBytes() + ranges * BYTES_EACH_RANGE;
    double storedBytes = rawBytes * terms.ratio() + overheadBytes;
    Merging merging = Merging.ofPacks(storedBytes, rawBytes, ranges, terms.mergeToBytes());
    return of(puts, merging, bytesPerSecond * terms.ratio(), overheadBytes);
  }

  private static Estimate of(
      double puts, Merging merging, double contentBytesPerSecond, double overheadBytes) {
    double objects = puts * merging.objects();
    return new Estimate(
        puts,
        puts * merging.requests(),
        puts * merging.removals(),
        objects,
        merging.waiting(),
        contentBytesPerSecond + objects * overheadBytes);
  }

  private Estimate plus(Estimate other) {
    return new Estimate(
        putsPerSecond + other.putsPerSecond,
        mergePutsPerSecond + other.mergePutsPerSecond,
        deletesPerSecond + other.deletesPerSecond,
        objectsPerSecond + other.objectsPerSecond,
        waitingObjects + other.waitingObjects,
        storedBytesPerSecond + other.storedBytesPerSecond);
  }

  private Estimate times(double count) {
    return new Estimate(
        count * putsPerSecond,
        count * mergePutsPerSecond,
        count * deletesPerSecond,
        count * objectsPerSecond,
        count * waitingObjects,
        count * storedBytesPerSecond);
  }

  /** Returns all requests in an hour that write objects. */
  public double putsPerHour() {
    return (putsPerSecond + mergePutsPerSecond) * SECONDS_PER_HOUR;
  }

  /** Returns all requests in a month that write objects. */
  public double putsPerMonth() {
    return (putsPerSecond + mergePutsPerSecond) * SECONDS_PER_MONTH;
  }

  /** Returns how many objects are removed in a month. */
  public double deletesPerMonth() {
    return deletesPerSecond * SECONDS_PER_MONTH;
  }

  /** Returns how many objects a month adds. */
  public double objectsPerMonth() {
    return Math.min(
        putsPerSecond * SECONDS_PER_MONTH, objectsPerSecond * SECONDS_PER_MONTH + waitingObjects);
  }

  /** Returns how many bytes a month adds. */
  public double storedBytesPerMonth() {
    return storedBytesPerSecond * SECONDS_PER_MONTH;
  }
}
