package dev.tailwater.delivery;

import dev.tailwater.archive.ByteSum;
import dev.tailwater.archive.name.StreamId;
import dev.tailwater.delivery.checkpoint.RememberedFiles;
import dev.tailwater.delivery.checkpoint.RememberedState;
import dev.tailwater.delivery.open.TailOpener;
import dev.tailwater.delivery.problem.Problem;
import dev.tailwater.delivery.status.FileDelivery;
import dev.tailwater.delivery.status.StatusReport;
import dev.tailwater.delivery.stream.Checkpoint;
import dev.tailwater.delivery.tail.ArchivedNames;
import dev.tailwater.delivery.watch.Losses;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Looks at each path of the files that the state remembers, once, and adds up. Memory: the few
 * files that are named, and those known files that took the name of another. For one thread.
 */
final class OfflineSurvey {
  private final TailOpener opener;
  private final ArchivedNames names;
  private final Delivery delivery;
  private final List<RememberedFiles> destinations;

  private final Set<PosixPath> takenNames = new HashSet<>();
  private final PriorityQueue<StatusReport.FileAtRisk> mostAtRisk =
      new PriorityQueue<>(Comparator.comparingLong(StatusReport.FileAtRisk::atRiskBytes));
  private final List<Losses.Changed> changed = new ArrayList<>();
  private final long[] atRiskBytesOf;
  private final List<GoneBytes> gone;
  private Optional<String> agent = Optional.empty();
  private long mostStreams;
  private long atRiskFiles;
  private long atRiskBytes;
  private long changedFiles;
  private long uncomparedFiles;

  /** Tells how far an open file is delivered. */
  interface Delivery {
    /**
     * Returns how far it is delivered.
     *
     * @param streams the checkpoints of its streams at each destination
     */
    FileDelivery of(PosixPath path, TailOpener.Opened opened, List<List<Checkpoint>> streams)
        throws IOException;
  }

  OfflineSurvey(
      TailOpener opener,
      ArchivedNames names,
      Delivery delivery,
      List<RememberedFiles> destinations) {
    this.opener = opener;
    this.names = names;
    this.delivery = delivery;
    this.destinations = List.copyOf(destinations);
    this.atRiskBytesOf = new long[destinations.size()];
    this.gone = destinations.stream().map(_ -> new GoneBytes()).toList();
  }

  /** Looks at the files of one of the destinations, without those that one before it knows. */
  void addAll(RememberedFiles destination) throws IOException {
    int number = destinations.indexOf(destination);
    long[] streams = {0};
    destination.forEach(
        file -> {
          streams[0] += file.size();
          agent = agent.or(() -> Optional.of(file.getFirst().origin().agent()));
          add(number, file);
        });
    mostStreams = Math.max(mostStreams, streams[0]);
  }

  private void add(int destination, List<Checkpoint> file) throws IOException {
    FileIdentity identity = file.getFirst().identity();
    file.forEach(gone.get(destination)::add);
    for (PosixPath path : livePaths(file)) {
      if (!isLivePath(path, find(identity, destinations.subList(0, destination)))) {
        look(path, destination, file);
      }
    }
  }

  private static Set<PosixPath> livePaths(List<Checkpoint> file) {
    Set<PosixPath> paths = new LinkedHashSet<>();
    for (Checkpoint stream : file) {
      if (stream.ending().isEmpty()) {
        paths.add(stream.seen().path());
      }
    }
    return paths;
  }

  private static boolean isLivePath(PosixPath path, List<List<Checkpoint>> streams) {
    return streams.stream().anyMatch(file -> livePaths(file).contains(path));
  }

  private static List<List<Checkpoint>> find(
      FileIdentity identity, List<RememberedFiles> destinations) throws IOException {
    List<List<Checkpoint>> streams = new ArrayList<>();
    for (RememberedFiles destination : destinations) {
      streams.add(destination.find(identity));
    }
    return streams;
  }

  private void look(PosixPath archived, int destination, List<Checkpoint> remembered)
      throws IOException {
    PosixPath path = names.here(archived);
    Optional<TailOpener.Opened> opened = opener.open(path);
    if (opened.isEmpty()) {
      return;
    }
    try (Descriptor _ = opened.get().descriptor()) {
      FileIdentity found = opened.get().identity();
      boolean isTaken = !RememberedFiles.isSame(found, remembered.getFirst().identity());
      List<List<Checkpoint>> streams = new ArrayList<>();
      for (int i = 0; i < destinations.size(); i++) {
        boolean isAtHand = i == destination && !isTaken;
        streams.add(isAtHand ? remembered : destinations.get(i).find(found));
      }
      boolean isKnown = streams.stream().anyMatch(file -> !file.isEmpty());
      if (isTaken && (!isKnown || isLivePath(archived, streams) || !takenNames.add(path))) {
        return;
      }
      long sizeBytes = opened.get().status().sizeBytes();
      for (int i = 0; i < destinations.size(); i++) {
        GoneBytes goneThere = gone.get(i);
        streams.get(i).forEach(stream -> goneThere.add(stream, sizeBytes));
      }
      count(path, delivery.of(path, opened.get(), streams));
    }
  }

  private void count(PosixPath path, FileDelivery file) {
    String stream = file.stream().orElseThrow();
    for (int i = 0; i < atRiskBytesOf.length; i++) {
      long durableBytes = file.destinations().get(i).durableBytes();
      atRiskBytesOf[i] = ByteSum.of(atRiskBytesOf[i], Math.max(0, file.sizeBytes() - durableBytes));
    }
    boolean isAtRisk = file.durableBytes() < file.sizeBytes();
    if (file.change() == FileDelivery.Change.CHANGED_IN_PLACE) {
      changedFiles++;
      if (changed.size() < Losses.MOST_NAMES) {
        changed.add(new Losses.Changed(path, new StreamId(stream)));
      }
    } else if (file.change() == FileDelivery.Change.SUSPECTED && !isAtRisk) {
      uncomparedFiles++;
    }
    if (isAtRisk) {
      atRiskFiles++;
      atRiskBytes = ByteSum.of(atRiskBytes, file.sizeBytes() - file.durableBytes());
      mostAtRisk.add(
          new StatusReport.FileAtRisk(file.path(), stream, file.sizeBytes(), file.durableBytes()));
      if (mostAtRisk.size() > StatusReport.Files.MOST_NAMED) {
        mostAtRisk.remove();
      }
    }
  }

  /**
   * Returns what was added up.
   *
   * @param targets the destinations, in their order
   */
  StatusReport report(List<RememberedState.Target> targets) {
    return new StatusReport(
        agent.orElse(""),
        Optional.empty(),
        StatusReport.Progress.ofNone(atRiskBytes),
        new StatusReport.Files(
            mostStreams,
            atRiskFiles,
            mostAtRisk.stream()
                .sorted(Comparator.comparingLong(StatusReport.FileAtRisk::atRiskBytes).reversed())
                .toList(),
            new Losses.Report(0, List.of(), 0, List.of(), changedFiles, List.copyOf(changed)),
            uncomparedFiles),
        atDestinations(targets),
        problems(targets),
        StatusReport.Safety.NONE);
  }

  /** Returns what is gone for the required destination that lacks most of it. */
  private List<Problem> problems(List<RememberedState.Target> targets) {
    return IntStream.range(0, gone.size())
        .filter(i -> targets.get(i).required())
        .mapToObj(gone::get)
        .max(Comparator.comparingLong(GoneBytes::bytes))
        .map(most -> most.problems(names))
        .orElse(List.of());
  }

  private List<StatusReport.AtDestination> atDestinations(List<RememberedState.Target> targets) {
    List<StatusReport.AtDestination> all = new ArrayList<>();
    for (int i = 0; i < targets.size(); i++) {
      String uri = targets.get(i).uri();
      all.add(
          new StatusReport.AtDestination(
              uri,
              uri,
              targets.get(i).required(),
              false,
              StatusReport.Progress.ofNone(atRiskBytesOf[i]),
              0,
              StatusReport.Merged.NOTHING,
              0));
    }
    return all;
  }
}
