package dev.tailwater.delivery;

import dev.tailwater.delivery.config.AgentConfig;
import dev.tailwater.delivery.config.Source;
import dev.tailwater.delivery.open.TailOpener;
import dev.tailwater.delivery.source.OwnDirectories;
import dev.tailwater.delivery.source.SourceFilter;
import dev.tailwater.delivery.source.SourceSet;
import dev.tailwater.io.Descriptor;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.io.watch.DirectoryWatch;
import dev.tailwater.io.watch.NotificationMethod;
import dev.tailwater.io.watch.WatchChange;
import dev.tailwater.io.watch.WatchOptions;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What an agent would deliver if it were started now. Looks at the sources once, with the agent's
 * own rules of what belongs to them, and changes nothing.
 *
 * <p>Memory: the names of all files, within the agent's own bound on names.
 */
public final class Preview {
  private final FileCalls calls;
  private final AgentConfig config;
  private final List<DeliveredBefore> destinations;
  private final SourceSet sources;
  private final OwnDirectories own;
  private final List<SourceFilter> filters;

  /**
   * Creates a preview.
   *
   * @param destinations what each of them holds, in the order of the agent's
   */
  public Preview(FileCalls calls, AgentConfig config, List<DeliveredBefore> destinations) {
    this.calls = calls;
    this.config = config;
    this.destinations = List.copyOf(destinations);
    this.filters =
        config.scope().sources().stream()
            .map(source -> new SourceFilter(source.root(), source.include(), source.exclude()))
            .toList();
    this.sources = new SourceSet(filters, config.scope().ownPlaces());
    this.own = new OwnDirectories(calls, config.scope().ownPlaces(), System::nanoTime);
  }

  /**
   * A file that belongs to the sources.
   *
   * @param identity tells it from another file that gets the same path
   * @param missingBytes how many bytes each destination lacks; empty: it lacks the whole file, and
   *     does not know it
   */
  public record PreviewedFile(
      PosixPath path, FileIdentity identity, long sizeBytes, List<OptionalLong> missingBytes) {
    public PreviewedFile {
      missingBytes = List.copyOf(missingBytes);
    }

    /** Returns how many bytes one destination lacks. */
    public long missingAt(int destination) {
      return missingBytes.get(destination).orElse(sizeBytes);
    }

    /** Returns how many bytes the destination lacks that has least of the file. */
    public long mostMissing() {
      return missingBytes.stream().mapToLong(one -> one.orElse(sizeBytes)).max().orElse(0);
    }

    /** Returns whether every destination has all of it. */
    public boolean isDelivered() {
      return missingBytes.stream().allMatch(one -> one.isPresent() && one.getAsLong() == 0);
    }
  }

  /** Is told what is found, in the order of paths. */
  public interface Listener {
    void file(PreviewedFile file);

    /** Called for a file or directory that cannot be read, with the reason. */
    void unreadable(PosixPath path, String why);
  }

  /**
   * What concerns the whole look.
   *
   * @param symbolicLinks how many symbolic links are left out
   * @param foreignLinks how many files are left out since somebody else may have linked them there
   * @param isComplete whether there was room for all names
   * @param withoutFiles the sources to which no file belongs
   */
  public record Outcome(
      long symbolicLinks, long foreignLinks, boolean isComplete, List<Source> withoutFiles) {
    public Outcome {
      withoutFiles = List.copyOf(withoutFiles);
    }
  }

  /** Looks at everything once. */
  public Outcome run(Listener listener) throws IOException {
    WatchOptions options =
        WatchOptions.defaults()
            .withWanted(sources::wants)
            .withDescend(sources::descends)
            .withLeftOut(own::include)
            .withFollowSymlinks(config.scope().followSymlinks())
            .withNotification(NotificationMethod.POLLING)
            .withNames(
                NameMemoryBudget.listingBound(
                    config, destinations.size(), Runtime.getRuntime().maxMemory()));
    List<WatchChange> found;
    long symbolicLinks;
    try (DirectoryWatch watch =
        DirectoryWatch.open(calls, sources.roots(), options, System::nanoTime)) {
      found = new ArrayList<>(watch.scan());
      symbolicLinks = config.scope().leftOutOf(watch.statistics().links());
    }
    found.sort(Comparator.comparing(WatchChange::path));
    return new Run(listener).apply(found, symbolicLinks);
  }

  /** One run. */
  private final class Run {
    private final Listener listener;
    private final TailOpener opener =
        new TailOpener(
            calls,
            config.scope().followSymlinks(),
            sources.roots(),
            config.scope().foreignHardLinks());
    private final Set<Integer> withFiles = new HashSet<>();
    private long foreignLinks;
    private boolean complete = true;

    Run(Listener listener) {
      this.listener = listener;
    }

    Outcome apply(List<WatchChange> found, long symbolicLinks) {
      for (WatchChange change : found) {
        switch (change) {
          case WatchChange.Appeared appeared -> look(appeared.path());
          case WatchChange.Unobservable unseen ->
              listener.unreadable(
                  unseen.path(), unseen.why().messageAbout(unseen.path().toString()));
          case WatchChange.Overfull full -> complete = false;
          default -> {}
        }
      }
      List<Source> withoutFiles = new ArrayList<>();
      for (int i = 0; i < filters.size(); i++) {
        if (!withFiles.contains(i)) {
          withoutFiles.add(config.scope().sources().get(i));
        }
      }
      return new Outcome(symbolicLinks, foreignLinks, complete, withoutFiles);
    }

    private void look(PosixPath path) {
      for (int i = 0; i < filters.size(); i++) {
        if (filters.get(i).wants(path)) {
          withFiles.add(i);
        }
      }
      try {
        Optional<TailOpener.Opened> opened = opener.open(path);
        if (opened.isPresent()) {
          look(path, opened.get());
        }
      } catch (ErrnoException e) {
        listener.unreadable(path, e.messageAbout(path.toString()));
      } catch (IOException e) {
        listener.unreadable(path, path + ": " + e.getMessage());
      }
    }

    private void look(PosixPath path, TailOpener.Opened opened) throws IOException {
      try (Descriptor _ = opened.descriptor()) {
        if (opened.foreignLink()) {
          foreignLinks++;
          return;
        }
        long sizeBytes = opened.status().sizeBytes();
        List<OptionalLong> missing = new ArrayList<>();
        for (DeliveredBefore destination : destinations) {
          OptionalLong before = destination.bytes(opened);
          missing.add(
              before.isPresent()
                  ? OptionalLong.of(Math.max(0, sizeBytes - before.getAsLong()))
                  : OptionalLong.empty());
        }
        listener.file(new PreviewedFile(path, opened.identity(), sizeBytes, missing));
      }
    }
  }
}
