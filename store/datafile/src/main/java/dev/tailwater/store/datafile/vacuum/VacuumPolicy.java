package dev.tailwater.store.datafile.vacuum;

import dev.tailwater.store.datafile.file.DataFile;
import dev.tailwater.store.datafile.format.FileHeader;
import dev.tailwater.store.datafile.index.Location;
import java.util.ArrayList;
import java.util.List;

/**
 * The policy that chooses the files to be rewritten next.
 *
 * <p>While the files exceed their bound, the file of which the largest part would be freed is
 * rewritten, if that part is large enough to pay. Removals cannot be freed as long as an older file
 * may hold what they hide. When nothing else pays, removals take the space, and files are rewritten
 * in a sweep from the oldest on, so that all removals after them can be freed. Each step, or the
 * sweep as a whole, frees a fixed part of what it copies, so copying is bounded by what is written.
 * Decision 0054 has the calculation. Used by one thread at a time.
 */
final class VacuumPolicy {
  /** A file shorter than a full one divided by this is joined with its neighbour. */
  private static final int SMALL_PART = 4;

  /** Header and seal, which every file has. */
  private static final int FRAME_BYTES = FileHeader.LENGTH_BYTES + DataFile.MARK_BYTES;

  private final double maxAmplification;
  private final long fileBytes;

  /** First place that the current sweep has not reached. */
  private long sweptTo = 1;

  private List<DataFile> sweeping = List.of();

  /** Last place of the current sweep; 0: there is none. */
  private long sweepEnd;

  VacuumPolicy(double maxAmplification, long fileBytes) {
    this.maxAmplification = maxAmplification;
    this.fileBytes = fileBytes;
  }

  /** Returns the part of a file that must be freed for its rewriting to pay. */
  private double worthwhilePart() {
    return (1 - 1 / maxAmplification) / 2;
  }

  /** Returns by how many full files the store exceeds its bound; at most 0: it does not. */
  double excessFiles(List<DataFile> sealed, long nowMillis) {
    double bytes = 0;
    double liveBytes = 0;
    for (DataFile file : sealed) {
      if (!file.isDamaged()) {
        bytes += file.writtenBytes() - FRAME_BYTES;
        liveBytes += liveBytes(file, nowMillis);
      }
    }
    return (bytes - maxAmplification * liveBytes) / fileBytes - 1;
  }

  /** Returns about how much of a file the vacuum would have to keep, without removals. */
  static long liveBytes(DataFile file, long nowMillis) {
    long units = file.units();
    if (units == 0) {
      return 0;
    }
    double expiredPart = (double) file.expiry().expiredUnits(nowMillis) / units;
    double livePart = (double) file.liveUnits() / units * Math.max(0, 1 - expiredPart);
    return (long) ((file.writtenBytes() - FRAME_BYTES - file.markBytes()) * livePart);
  }

  /** Returns neighbours to be rewritten into one file; empty when nothing pays. */
  List<DataFile> next(List<DataFile> sealed, long nowMillis) {
    int best = -1;
    double bestPart = worthwhilePart();
    long removalsGoTo = Long.MAX_VALUE;
    for (int i = 0; i < sealed.size(); i++) {
      DataFile file = sealed.get(i);
      double part = partThatGoes(file, file.lastSequence() <= removalsGoTo, nowMillis);
      if (!file.isDamaged() && part >= bestPart) {
        best = i;
        bestPart = part;
      }
      removalsGoTo = Math.min(removalsGoTo, file.isClean() ? Long.MAX_VALUE : file.cleanTo());
    }
    if (best >= 0) {
      return withNeighbours(sealed, best, nowMillis);
    }
    return nextOfSweep(sealed, nowMillis);
  }

  private static double partThatGoes(DataFile file, boolean removalsGo, long nowMillis) {
    long goes = file.writtenBytes() - FRAME_BYTES - liveBytes(file, nowMillis);
    if (!removalsGo) {
      goes -= file.removalUnits() * Location.LENGTH_UNIT_BYTES;
    }
    return (double) goes / file.writtenBytes();
  }

  private List<DataFile> nextOfSweep(List<DataFile> sealed, long nowMillis) {
    if (sweepEnd == 0) {
      beginSweep(sealed);
    }
    List<DataFile> run = sweep(sealed, nowMillis);
    if (run.isEmpty()) {
      sweepEnd = 0;
    }
    return run;
  }

  /** Begins a sweep, from the oldest file to the newest of these. */
  void beginSweep(List<DataFile> sealed) {
    sweptTo = 1;
    sweepEnd = sealed.isEmpty() ? 0 : sealed.getLast().header().name().last();
  }

  /** Returns the next files of the sweep that hold anything dead; empty at the end of the sweep. */
  List<DataFile> sweep(List<DataFile> sealed, long nowMillis) {
    for (int i = 0; i < sealed.size(); i++) {
      DataFile file = sealed.get(i);
      boolean due =
          file.header().name().first() >= sweptTo && file.header().name().last() <= sweepEnd;
      if (due && !file.isDamaged() && holdsDead(file, nowMillis)) {
        sweeping = withNeighbours(sealed, i, nowMillis);
        return sweeping;
      }
    }
    return List.of();
  }

  void endSweep() {
    sweepEnd = 0;
  }

  /** Called when these were rewritten. */
  void swept(List<DataFile> run) {
    if (run.equals(sweeping)) {
      sweptTo = run.getLast().header().name().last() + 1;
    }
  }

  static boolean holdsDead(DataFile file, long nowMillis) {
    return !file.isClean() || file.expiry().hasExpired(nowMillis);
  }

  /**
   * Returns the file with its neighbours that are small or pay too, as long as they fit one file.
   */
  private List<DataFile> withNeighbours(List<DataFile> sealed, int chosen, long nowMillis) {
    int first = chosen;
    int last = chosen;
    long keptBytes = keptBytes(sealed.get(chosen), nowMillis);
    long bytes = sealed.get(chosen).writtenBytes();
    while (last + 1 < sealed.size() && joins(sealed.get(last + 1), bytes, keptBytes, nowMillis)) {
      keptBytes += keptBytes(sealed.get(++last), nowMillis);
      bytes += sealed.get(last).writtenBytes();
    }
    while (first > 0 && joins(sealed.get(first - 1), bytes, keptBytes, nowMillis)) {
      keptBytes += keptBytes(sealed.get(--first), nowMillis);
      bytes += sealed.get(first).writtenBytes();
    }
    return new ArrayList<>(sealed.subList(first, last + 1));
  }

  private boolean joins(DataFile file, long bytes, long keptBytes, long nowMillis) {
    boolean worthIt =
        file.writtenBytes() <= fileBytes / SMALL_PART
            || partThatGoes(file, false, nowMillis) >= worthwhilePart();
    // How much is kept is an estimate; in any case a location must be able to name it.
    boolean fits =
        keptBytes + keptBytes(file, nowMillis) <= fileBytes
            && bytes + file.writtenBytes() < Location.OFFSET_LIMIT;
    return worthIt && !file.isDamaged() && fits;
  }

  /** Returns about the most that is kept of the file. */
  private static long keptBytes(DataFile file, long nowMillis) {
    long removalBytes = file.removalUnits() * Location.LENGTH_UNIT_BYTES;
    return Math.min(file.writtenBytes(), liveBytes(file, nowMillis) + removalBytes);
  }
}
