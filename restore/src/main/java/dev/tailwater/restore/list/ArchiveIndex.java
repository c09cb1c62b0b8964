package dev.tailwater.restore.list;

import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.archive.open.OpenedPack;
import dev.tailwater.destination.Destination;
import dev.tailwater.posix.EscapedPath;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.ReadOptions;
import dev.tailwater.restore.RestoreProgress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

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
    List<Glob> only = selection.only().stream().map(Glob::of).toList();
    SelectedStreams streams = new SelectedStreams(source, drains, only, progress);
    streams.read(listed, options.jobs());
    SortedSet<String> agents = new TreeSet<>(lister.agentsOfPacks());
    listed.forEach(one -> agents.add(one.name.agent()));
    if (options.authenticity().isChecked() && !source.isOfMoment()) {
      new ReceiptCheck(source, lister, drains.all(), options.authenticity(), options.jobs()).run();
    }
    List<Damage> damages = new ArrayList<>(drains.damages());
    damages.addAll(packs.damages());
    damages.addAll(packs.manifestDamages());
    return new ArchiveIndex(
        streams.selected(),
        streams.laterVersionsOfOthers(),
        streams.hasLaterVersions(),
        agents,
        drains,
        damages,
        packs,
        lister.foreign(),
        lister.objects(),
        selection.isEverything() && !source.isOfMoment(),
        source.refusesPlain(),
        lister.treePacks(),
        only);
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
    return Glob.select(only, path);
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
