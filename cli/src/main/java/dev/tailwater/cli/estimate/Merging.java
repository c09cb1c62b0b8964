package dev.tailwater.cli.estimate;

/**
 * What merging makes of a steady row of equal objects, for each object that was delivered.
 *
 * @param objects how many are left in the end
 * @param uploads how many merged objects are written
 * @param requests how many requests write these
 * @param removals how many objects are removed
 * @param waiting how many objects usually wait to be merged, in all
 */
record Merging(double objects, double uploads, double requests, double removals, double waiting) {
  /** Nothing is merged. */
  static final Merging NONE = new Merging(1, 0, 0, 0, 0);

  /** As {@code MergePolicy} has it: so many of a tier become one of the next. */
  private static final int TIER = 16;

  private static final int MOST_WAITING = 4 * TIER;
  private static final int NEARLY_FULL_PART = 4;
  private static final double FULL_SEGMENT_BYTES = 8 << 20;

  /** As {@code PackLedger} has it: so many packs become one. */
  private static final int PACK_FAN = 64;

  private static final int MOST_PACK_MERGES = 2;
  private static final double LONG_PACK_BYTES = 1 << 20;
  private static final double FULL_PACK_BYTES = 4 << 20;
  private static final double FULL_PACK_RAW_BYTES = 32 << 20;
  private static final double FULL_PACK_RANGES = 40_000;

  /** Up to this length an object is written by one request, above by one for each part. */
  private static final double PART_BYTES = 5 << 20;

  /**
   * Returns what becomes of the segments of one file.
   *
   * @param rawBytes the length of each in the file
   */
  static Merging ofSegments(double rawBytes, Terms terms) {
    double fullBytes = Math.min(FULL_SEGMENT_BYTES, (double) terms.mergeToBytes());
    Steps steps = new Steps();
    double lengthBytes = rawBytes;
    while (lengthBytes < fullBytes) {
      double count =
          Math.min(tier(lengthBytes, fullBytes), Math.floor(terms.mergeToBytes() / lengthBytes));
      if (count < 2) {
        break;
      }
      lengthBytes *= count;
      steps.merge(count, requests(lengthBytes * terms.ratio(), terms.kind()));
    }
    return steps.merging();
  }

  private static double tier(double lengthBytes, double fullBytes) {
    double missing = Math.ceil(fullBytes / lengthBytes);
    boolean soon = TIER * lengthBytes >= fullBytes / NEARLY_FULL_PART;
    return Math.min(missing, soon ? MOST_WAITING : TIER);
  }

  /** Returns how many requests write a merged segment. */
  private static double requests(double storedBytes, StoreKind kind) {
    return storedBytes <= PART_BYTES
        ? 1
        : kind.requestsOfUpload() + Math.ceil(storedBytes / PART_BYTES);
  }

  /**
   * Returns what becomes of packs.
   *
   * @param storedBytes the length of each
   * @param rawBytes what each holds
   * @param ranges of how many files it holds something
   */
  static Merging ofPacks(double storedBytes, double rawBytes, double ranges, long mergeToBytes) {
    if (mergeToBytes == 0 || storedBytes >= LONG_PACK_BYTES) {
      return NONE;
    }
    double fullBytes = Math.min(FULL_PACK_BYTES, (double) mergeToBytes);
    Steps steps = new Steps();
    double packs = 1;
    for (int merges = 0; merges < MOST_PACK_MERGES; merges++) {
      double full = Math.ceil(fullBytes / (packs * storedBytes));
      full = Math.min(full, Math.ceil(FULL_PACK_RAW_BYTES / (packs * rawBytes)));
      full = Math.max(2, Math.min(full, Math.ceil(FULL_PACK_RANGES / ranges)));
      double count = Math.min(full, PACK_FAN);
      packs *= count;
      steps.merge(count, 1);
      if (full <= PACK_FAN || packs * storedBytes >= fullBytes / 2) {
        break;
      }
    }
    return steps.merging();
  }

  /** One merge after the other. */
  private static final class Steps {
    private double objects = 1;
    private double uploads;
    private double requests;
    private double removals;
    private double waiting;

    /** Every so many of the objects so far become one. */
    void merge(double count, double requestsEach) {
      removals += objects;
      objects /= count;
      uploads += objects;
      requests += objects * requestsEach;
      waiting += (count - 1) / 2;
    }

    Merging merging() {
      return new Merging(objects, uploads, requests, removals, waiting);
    }
  }
}
