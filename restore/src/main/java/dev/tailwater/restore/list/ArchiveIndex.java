package dev.tailwater.restore.list;

import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.open.OpenedPack;
import dev.tailwater.destination.Destination;
import dev.tailwater.posix.EscapedPath;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.Jobs;
import dev.tailwater.restore.ReadOptions;
import dev.tailwater.restore.RestoreProgress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What an archive holds, as one listing shows it. Immutable.
 *
 * <p>Memory: about 100 bytes per segment and 1 KB per stream; nothing of what the segments contain.
 * Cost: one list request per thousand objects; one read for each manifest and for each pack that
 * none repeats; for each stream that has segments of its own one small read (stream.json, or the
 * beginning of the newest segment where there is none); for each gap one small read.
 */
public final class ArchiveIndex {
  /** More would not help. */
  private static final int MAX_SIMILAR = 5;

  /** So many streams take a moment and little enough for several jobs to share the work. */
  private static final int MAX_TASK_STREAMS = 2048;

  private final List<ArchivedStream> streams;

  /** Versions of files that others, which may be selected, have had before. */
  private final List<ArchivedStream> unselected;

  /** Whether some file has begun anew: one pass less through all streams where none has. */
  private final boolean hasLaterVersions;

  private final SortedSet<String> agents;
  private final ArchivedDrains drains;
  private final List<Damage> damages;
  private final PackCatalog packs;
  private final ForeignObjects foreign;
  private final long objects;
  private final boolean everything;
  private final boolean plainRefused;
  private final List<ListedPack> treePacks;
  private final List<Glob> only;

  private ArchiveIndex(
      List<ArchivedStream> streams,
      List<ArchivedStream> unselected,
      boolean hasLaterVersions,
      SortedSet<String> agents,
      ArchivedDrains drains,
      List<Damage> damages,
      PackCatalog packs,
      ForeignObjects foreign,
      long objects,
      boolean everything,
      boolean plainRefused,
      List<ListedPack> treePacks,
      List<Glob> only) {
    this.streams = streams;
    this.unselected = unselected;
    this.hasLaterVersions = hasLaterVersions;
    this.agents = agents;
    this.drains = drains;
    this.damages = List.copyOf(damages);
    this.packs = packs;
    this.foreign = foreign;
    this.objects = objects;
    this.everything = everything;
    this.plainRefused = plainRefused;
    this.treePacks = List.copyOf(treePacks);
    this.only = List.copyOf(only);
  }

  /**
   * Lists an archive and reads the names of its streams.
   *
   * @param options identities only serve to read the last known paths of encrypted streams that
   *     have no stream.json; without them the path at birth is known
   * @throws IllegalArgumentException when the selected agent's name cannot be one
   * @throws IOException the destination cannot be listed. An object that cannot be read or is not
   *     what it should be is noted at its stream and stops nothing
   */
  public static ArchiveIndex load(
      Destination destination, Selection selection, ReadOptions options, RestoreProgress progress)
      throws IOException {
    SegmentSource source = new SegmentSource(destination, options);
    String prefix = selection.agent().map(ArchiveNames::agentPrefix).orElse("");
    ArchiveLister lister = new ArchiveLister(destination, source.retry(), progress).list(prefix);
    PackCatalog packs = lister.readPacks(source, options.jobs());
    ArchivedDrains drains = ArchivedDrains.read(source, lister);
    List<ListedStream> listed = new ArrayList<>(lister.streams());
    listed.addAll(drains.unlisted(listed));
    progress.reading(listed.size());
    List<Glob> globs = selection.only().stream().map(Glob::of).toList();
    @Nullable ArchivedStream[] read = new @Nullable ArchivedStream[listed.size()];
    Queue<ArchivedStream> unselected = new ConcurrentLinkedQueue<>();
    AtomicBoolean hasLaterVersions = new AtomicBoolean();
    SortedSet<String> agents = new TreeSet<>(lister.agentsOfPacks());
    listed.forEach(one -> agents.add(one.name.agent()));
    Jobs.forEach(
        "restore-names",
        tasks(listed),
        options.jobs(),
        task -> {
          for (int number = task.from; number < task.to; number++) {
            StreamReader reader = new StreamReader(source, listed.get(number), drains);
            boolean isSelected = isSelected(globs, reader.readPath(true));
            boolean isLaterVersion = listed.get(number).name.stream().epoch() > 0;
            if (isLaterVersion) {
              hasLaterVersions.set(true);
            }
            reader.noteIfAlive();
            if ((isSelected || isLaterVersion) && reader.isThere()) {
              ArchivedStream stream = reader.read();
              if (isSelected) {
                read[number] = stream;
              } else {
                unselected.add(stream);
              }
            }
            progress.read();
          }
          // Several jobs do so at a time; what is left to be done later is to merge the parts.
          Arrays.sort(read, task.from, task.to, ArchiveIndex::byPathNullsLast);
        });
    if (options.authenticity().isChecked() && !source.isOfMoment()) {
      new ReceiptCheck(source, lister, drains.all(), options.authenticity(), options.jobs()).run();
    }
    List<ArchivedStream> selected = sorted(read);
    List<Damage> damages = new ArrayList<>(drains.damages());
    damages.addAll(packs.damages());
    damages.addAll(packs.manifestDamages());
    return new ArchiveIndex(
        selected,
        List.copyOf(unselected),
        hasLaterVersions.get(),
        agents,
        drains,
        damages,
        packs,
        lister.foreign(),
        lister.objects(),
        selection.isEverything() && !source.isOfMoment(),
        source.refusesPlain(),
        lister.treePacks(),
        globs);
  }

  /** Some neighbouring streams that one job reads. */
  private record Task(int from, int to) {}

  /** Each stream for which objects are read is a task; of the others, many are one. */
  private static List<Task> tasks(List<ListedStream> listed) {
    List<Task> tasks = new ArrayList<>();
    int from = 0;
    for (int to = 1; to <= listed.size(); to++) {
      if (to == listed.size()
          || to - from == MAX_TASK_STREAMS
          || !listed.get(to - 1).isAllInPacks()
          || !listed.get(to).isAllInPacks()) {
        tasks.add(new Task(from, to));
        from = to;
      }
    }
    return tasks;
  }

  private static boolean isSelected(List<Glob> globs, PosixPath path) {
    return globs.isEmpty() || globs.stream().anyMatch(glob -> glob.matches(path));
  }

  /**
   * Returns those that there are, in their order.
   *
   * @param read parts of it are in that order already, which makes the sort faster
   */
  private static List<ArchivedStream> sorted(@Nullable ArchivedStream[] read) {
    ArchivedStream[] selected = new ArchivedStream[read.length];
    int count = 0;
    for (ArchivedStream stream : read) {
      if (stream != null) {
        selected[count++] = stream;
      }
    }
    Arrays.sort(selected, 0, count, ArchiveIndex::byPath);
    return Collections.unmodifiableList(Arrays.asList(selected).subList(0, count));
  }

  private static int byPathNullsLast(@Nullable ArchivedStream one, @Nullable ArchivedStream other) {
    if (one == null || other == null) {
      return (one == null ? 1 : 0) - (other == null ? 1 : 0);
    }
    return byPath(one, other);
  }

  /** By agent, by last known path, then newest first. */
  private static int byPath(ArchivedStream one, ArchivedStream other) {
    int order = one.agent().equals(other.agent()) ? 0 : one.agent().compareTo(other.agent());
    order = order == 0 ? one.path().compareTo(other.path()) : order;
    return order == 0 ? Claims.NEWEST_FIRST.compare(one, other) : order;
  }

  /** The selected streams, by agent, then by last known path, then newest first. */
  public List<ArchivedStream> streams() {
    return streams;
  }

  /** Returns the order in which the selected streams claim paths. */
  public Claims claims() {
    return new Claims(withUnselected());
  }

  /** Whether a selected stream may be superseded by any other one of its file. */
  public boolean mayBeSuperseded() {
    return hasLaterVersions && Claims.mayBeSuperseded(withUnselected());
  }

  /** Returns the last stream of a file that has begun anew and has another path now. */
  public Optional<ArchivedStream> movedSuccessor(ArchivedStream stream) {
    List<ArchivedStream> all = withUnselected();
    Claims claims = new Claims(all);
    return claims.isSupersededElsewhere(stream)
        ? all.stream()
            .filter(other -> other.agent().equals(stream.agent()))
            .filter(other -> other.id().withEpoch(0).equals(stream.id().withEpoch(0)))
            .filter(other -> !claims.isSuperseded(other))
            .min(claims)
        : Optional.empty();
  }

  private List<ArchivedStream> withUnselected() {
    if (unselected.isEmpty()) {
      return streams;
    }
    List<ArchivedStream> all = new ArrayList<>(streams);
    all.addAll(unselected);
    return all;
  }

  /** Whether bytes of streams may be refused because they are not encrypted. */
  public boolean isPlainRefused() {
    return plainRefused;
  }

  /** The packs that tell directories, in no order. */
  public List<PackName> treePacks() {
    return treePacks.stream().map(ListedPack::name).toList();
  }

  /** The same, as they were listed. */
  public List<ListedPack> listedTreePacks() {
    return treePacks;
  }

  /** Whether what has this path is selected, whatever it is. */
  public boolean selects(PosixPath path) {
    return isSelected(only, path);
  }

  /** All agents of what was listed, whether or not one of their streams is selected. */
  public SortedSet<String> agents() {
    return new TreeSet<>(agents);
  }

  /** The last drains of these agents, as far as the archive tells of them. */
  public List<ArchivedDrain> drains() {
    return drains.all();
  }

  /** Objects of agents, and not of one stream, that cannot be read. */
  public List<Damage> damages() {
    return damages;
  }

  /** Whether there may be more streams, or more of them, in packs that cannot be read. */
  public boolean isMoreInPacks() {
    return !packs.damages().isEmpty();
  }

  /** Returns whether agents may have left bytes behind of which nothing can be read. */
  public boolean hasDamagedDrains() {
    return !drains.damages().isEmpty();
  }

  /** Whether no stream is found, and packs cannot be opened without another identity. */
  public boolean isLocked() {
    return streams.isEmpty()
        && packs.damages().stream().anyMatch(damage -> damage.kind() == Damage.Kind.LOCKED);
  }

  /** Whether manifests cannot be read: all packs are opened nevertheless. */
  public boolean hasDamagedManifests() {
    return !packs.manifestDamages().isEmpty();
  }

  /** The packs whose directories were read in manifests, and not in the packs themselves. */
  public List<OpenedPack> repeatedPacks() {
    return packs.repeated();
  }

  /** What lies at the destination and is not part of an archive. */
  public ForeignObjects foreign() {
    return foreign;
  }

  /** How many objects were listed, foreign ones included. */
  public long objects() {
    return objects;
  }

  /** Whether there is nothing of an archive; other objects may lie there. */
  public boolean isNoArchive() {
    return agents.isEmpty() && drains.isEmpty();
  }

  /** Whether something was asked for and nothing is there. */
  public boolean foundNothing() {
    return streams.isEmpty() && !everything;
  }

  /**
   * The stream with this id, else the one that has this last known path: of several, the one that
   * has the strongest claim to it. Where several agents have one, select an agent to be sure. A
   * path is one as {@link EscapedPath} writes it, or else one as it is.
   */
  public Optional<ArchivedStream> find(String idOrPath) {
    PosixPath escaped = EscapedPath.parse(idOrPath);
    PosixPath plain = PosixPath.of(idOrPath);
    return first(stream -> stream.id().text().equals(idOrPath))
        .or(() -> first(stream -> stream.path().equals(escaped)))
        .or(() -> first(stream -> stream.path().equals(plain)));
  }

  /**
   * Last known paths that may be meant by one that no stream has: those that end in it, or in its
   * last name.
   */
  public List<PosixPath> similarPaths(String path) {
    PosixPath wanted = EscapedPath.parse(path);
    PosixPath name = wanted.fileName();
    Comparator<PosixPath> bestFirst =
        Comparator.comparing((PosixPath one) -> !endsWith(one, wanted))
            .thenComparing(Comparator.naturalOrder());
    return name.isEmpty()
        ? List.of()
        : streams.stream()
            .map(ArchivedStream::path)
            .filter(one -> one.fileName().equals(name))
            .distinct()
            .sorted(bestFirst)
            .limit(MAX_SIMILAR)
            .toList();
  }

  /** Whether the last names of a path are those of another one. */
  private static boolean endsWith(PosixPath path, PosixPath end) {
    byte[] all = path.toBytes();
    byte[] last = end.toBytes();
    int from = all.length - last.length;
    return from >= 0 && Arrays.equals(all, from, all.length, last, 0, last.length);
  }

  private Optional<ArchivedStream> first(Predicate<ArchivedStream> wanted) {
    return streams.stream().filter(wanted).min(claims());
  }
}
