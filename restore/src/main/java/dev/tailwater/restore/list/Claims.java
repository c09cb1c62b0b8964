package dev.tailwater.restore.list;

import dev.tailwater.posix.PosixPath;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The order of streams that claim the same path, strongest claim first.
 *
 * <ol>
 *   <li>A file that was there when the agent last looked comes before one that had ended, was
 *       truncated or delivered anew, at that path or another, or has left the path to a file that
 *       came later, as the objects of both tell; and before one that was perhaps never there.
 *   <li>Where only encrypted segments are trusted, a stream that has some comes before one of which
 *       there are plain objects only.
 *   <li>A file that was born at the path, or of which an object says when it came, comes before one
 *       that came there by the word of its own segments alone.
 *   <li>Then the one that was at the path last. Where it is not told when one of them came, a
 *       rename takes the place of a file of which nothing was delivered since, and of no other.
 *       Then the newest.
 * </ol>
 */
public final class Claims implements Comparator<ArchivedStream> {
  /** Newest first: ids sort by birth time, then epoch. */
  static final Comparator<ArchivedStream> NEWEST_FIRST =
      Comparator.comparing(ArchivedStream::id).reversed().thenComparing(ArchivedStream::prefix);

  /**
   * A file, which has one epoch after the other, wherever it goes. No agent is believed about the
   * files of another.
   */
  private record File(String agent, String idWithoutEpoch) {
    static File of(ArchivedStream stream) {
      return new File(stream.agent(), stream.id().withoutEpoch());
    }
  }

  /**
   * A file at a path. A file that was truncated to nothing may have only a record, which nobody
   * encrypts: it ends the stream before at its own path, and nowhere else.
   */
  private record FileAt(File file, PosixPath path) implements Comparable<FileAt> {
    private static final Comparator<FileAt> ORDER =
        Comparator.comparing(FileAt::path)
            .thenComparing(at -> at.file().agent())
            .thenComparing(at -> at.file().idWithoutEpoch());

    @Override
    public int compareTo(FileAt other) {
      return ORDER.compare(this, other);
    }

    static FileAt of(ArchivedStream stream) {
      return new FileAt(File.of(stream), stream.path());
    }
  }

  /** A path of the files of one agent, whose arrivals have one order. */
  private record Spot(String agent, PosixPath path) implements Comparable<Spot> {
    private static final Comparator<Spot> ORDER =
        Comparator.comparing(Spot::path).thenComparing(Spot::agent);

    @Override
    public int compareTo(Spot other) {
      return ORDER.compare(this, other);
    }

    static Spot of(ArchivedStream stream) {
      return new Spot(stream.agent(), stream.path());
    }
  }

  /** What the order depends on; found out once, since a sort asks for it many times. */
  private record Standing(
      boolean isOver,
      boolean isSuperseded,
      boolean isUnvouched,
      boolean isUntold,
      long atPathNanos,
      boolean bornHere) {
    /** The strongest first. */
    int compareTo(Standing other) {
      if (isOver != other.isOver) {
        return Boolean.compare(isOver, other.isOver);
      }
      if (isUnvouched != other.isUnvouched) {
        return Boolean.compare(isUnvouched, other.isUnvouched);
      }
      return isUntold != other.isUntold
          ? Boolean.compare(isUntold, other.isUntold)
          : Long.compare(other.atPathNanos, atPathNanos);
    }
  }

  /** Of files that have several, which few have. */
  private final Map<File, Integer> latestEpochs = new HashMap<>();

  private final Map<FileAt, Integer> latestAtPaths = new HashMap<>();

  /** When files that have several epochs came to their paths, as their epochs tell it. */
  private final Map<FileAt, Long> arrivalsOfFiles = new HashMap<>();

  private final Map<Spot, Long> latestArrivals = new HashMap<>();
  private final Map<ArchivedStream, Standing> standings = new HashMap<>();

  public Claims(Collection<ArchivedStream> streams) {
    for (ArchivedStream stream : streams) {
      if (stream.isPerhapsThere()) {
        continue;
      }
      if (stream.id().epoch() > 0) {
        latestAtPaths.merge(FileAt.of(stream), stream.id().epoch(), Math::max);
      }
      if (stream.isVouchedFor()) {
        if (stream.id().epoch() > 0) {
          latestEpochs.merge(File.of(stream), stream.id().epoch(), Math::max);
        }
        stream
            .arrivalNanos()
            .ifPresent(arrival -> latestArrivals.merge(Spot.of(stream), arrival, Math::max));
      }
    }
    if (!latestAtPaths.isEmpty()) {
      streams.stream().filter(ArchivedStream::isVouchedFor).forEach(this::noteArrivalOfFile);
    }
    for (ArchivedStream stream : streams) {
      OptionalLong atPathNanos = lastAtPathNanos(stream);
      boolean isSuperseded = hasBegunAnew(stream);
      standings.put(
          stream,
          new Standing(
              isSuperseded || stream.hasEnded() || hasLeft(stream) || stream.isPerhapsThere(),
              isSuperseded,
              !stream.isVouchedFor(),
              atPathNanos.isEmpty(),
              atPathNanos.orElse(Long.MIN_VALUE),
              stream.isBornAtItsPath()));
    }
  }

  /**
   * Returns the streams with the strongest claim first.
   *
   * @param streams some of those that this was made of
   */
  public List<ArchivedStream> sorted(Collection<ArchivedStream> streams) {
    record Claim(ArchivedStream stream, Standing standing) {}
    List<Claim> claims = new ArrayList<>(streams.size());
    streams.forEach(stream -> claims.add(new Claim(stream, standing(stream))));
    claims.sort((one, other) -> compare(one.stream, one.standing, other.stream, other.standing));
    List<ArchivedStream> sorted = new ArrayList<>(claims.size());
    claims.forEach(claim -> sorted.add(claim.stream));
    return sorted;
  }

  private Standing standing(ArchivedStream stream) {
    Standing standing = standings.get(stream);
    if (standing == null) {
      throw new IllegalArgumentException("not one of the streams: " + stream);
    }
    return standing;
  }

  private static int compare(
      ArchivedStream one, Standing standing, ArchivedStream other, Standing otherStanding) {
    int order = standing.compareTo(otherStanding);
    return order == 0 ? NEWEST_FIRST.compare(one, other) : order;
  }

  /**
   * Whether the archive contradicts itself when the stronger of two claims gets a place that the
   * weaker one asks for too. Nothing contradicts a file that ended and another that came instead,
   * two of which it is told which one came later, nor one that was created again where the end of
   * the first was never told.
   */
  public boolean contradict(ArchivedStream stronger, ArchivedStream weaker) {
    if (stronger.isVouchedFor() != weaker.isVouchedFor()) {
      return !weaker.hasEnded();
    }
    if (isToldWhichCameLater(stronger, weaker)) {
      return false;
    }
    return !isOver(weaker) && !(isBornHere(stronger) && isBornHere(weaker));
  }

  private boolean isBornHere(ArchivedStream stream) {
    return standing(stream).bornHere;
  }

  /** Whether the file is not at its path any more, or has begun anew since. */
  public boolean isOver(ArchivedStream stream) {
    return standing(stream).isOver;
  }

  /** Whether its file has begun anew since, wherever: the file holds something else now. */
  public boolean isSuperseded(ArchivedStream stream) {
    return standing(stream).isSuperseded;
  }

  /**
   * Whether its file has begun anew since, and has another path now. What the file held before must
   * not get its old path though no other file has it: the file may have kept it as a further name.
   */
  public boolean isSupersededElsewhere(ArchivedStream stream) {
    return isSuperseded(stream)
        && stream.id().epoch() >= latestAtPaths.getOrDefault(FileAt.of(stream), 0);
  }

  /** Whether one of some streams may be superseded by another one; true if in doubt. */
  static boolean mayBeSuperseded(Collection<ArchivedStream> streams) {
    Set<File> later = new HashSet<>();
    for (ArchivedStream stream : streams) {
      if (stream.id().epoch() > 0 && !later.add(File.of(stream))) {
        return true;
      }
    }
    return !later.isEmpty() // In most archives it is, which then cost no keys.
        && streams.stream()
            .anyMatch(stream -> stream.id().epoch() == 0 && later.contains(File.of(stream)));
  }

  private boolean hasBegunAnew(ArchivedStream stream) {
    if (latestAtPaths.isEmpty()) {
      return false; // as in most archives, which then cost no keys
    }
    int epoch = stream.id().epoch();
    return epoch < latestEpochs.getOrDefault(File.of(stream), 0)
        || epoch < latestAtPaths.getOrDefault(FileAt.of(stream), 0);
  }

  private void noteArrivalOfFile(ArchivedStream stream) {
    FileAt at = FileAt.of(stream);
    if (stream.arrivalNanos().isPresent() && latestAtPaths.containsKey(at)) {
      arrivalsOfFiles.merge(at, stream.arrivalNanos().getAsLong(), Math::max);
    }
  }

  /**
   * Returns when the file of a stream came to its path. What it holds now came there no earlier
   * than what it held before, though a clock that was set back may say so.
   */
  private OptionalLong arrivalNanos(ArchivedStream stream) {
    OptionalLong arrival = stream.arrivalNanos();
    if (arrival.isEmpty() || latestAtPaths.isEmpty()) {
      return arrival;
    }
    FileAt at = FileAt.of(stream);
    return stream.id().epoch() == latestAtPaths.getOrDefault(at, -1)
        ? OptionalLong.of(
            Math.max(arrival.getAsLong(), arrivalsOfFiles.getOrDefault(at, Long.MIN_VALUE)))
        : arrival;
  }

  /** Whether a file has come later to the path where this one was. */
  private boolean hasLeft(ArchivedStream stream) {
    OptionalLong arrival = arrivalNanos(stream);
    return arrival.isPresent()
        && latestArrivals.getOrDefault(Spot.of(stream), Long.MIN_VALUE) > arrival.getAsLong();
  }

  private static boolean isToldWhichCameLater(ArchivedStream one, ArchivedStream other) {
    return one.agent().equals(other.agent())
        && one.arrivalNanos().isPresent()
        && other.arrivalNanos().isPresent();
  }

  /** The time of its arrival, or else of the last sign that it was at its path. */
  private OptionalLong lastAtPathNanos(ArchivedStream stream) {
    OptionalLong millis = stream.atPathMillis();
    OptionalLong arrival = arrivalNanos(stream);
    if (arrival.isPresent() || millis.isEmpty()) {
      return arrival;
    }
    return OptionalLong.of(TimeUnit.MILLISECONDS.toNanos(millis.getAsLong()));
  }

  @Override
  public int compare(ArchivedStream one, ArchivedStream other) {
    return compare(one, standing(one), other, standing(other));
  }
}
