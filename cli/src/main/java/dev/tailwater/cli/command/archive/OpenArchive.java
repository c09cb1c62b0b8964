package dev.tailwater.cli.command.archive;

import dev.tailwater.archive.name.ArchiveNames;
import dev.tailwater.archive.name.ManifestName;
import dev.tailwater.archive.name.PackName;
import dev.tailwater.cli.host.Compression;
import dev.tailwater.cli.host.DestinationText;
import dev.tailwater.cli.host.PluginDirectories;
import dev.tailwater.cli.host.SlowAnswers;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.cli.value.Count;
import dev.tailwater.cli.value.Secrets;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationContext;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.DestinationOpener;
import dev.tailwater.destination.Entry;
import dev.tailwater.destination.Listing;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.restore.Authenticity;
import dev.tailwater.restore.ReadOptions;
import dev.tailwater.restore.RestoreProgress;
import dev.tailwater.restore.list.ArchiveIndex;
import dev.tailwater.restore.list.Selection;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Optional;

/** An archive that is open for reading. */
final class OpenArchive implements AutoCloseable {
  private static final int PAGE_ENTRIES = 1000;

  private final FileCalls calls;
  private final Destination destination;
  private final ReadOptions reading;
  private final ArchiveIndex index;

  private OpenArchive(
      FileCalls calls, Destination destination, ReadOptions reading, ArchiveIndex index) {
    this.calls = calls;
    this.destination = destination;
    this.reading = reading;
    this.index = index;
  }

  /** Opens an archive and lists the streams that the options select. */
  static OpenArchive open(
      String destination,
      ArchiveOptions options,
      Surroundings surroundings,
      RestoreProgress progress)
      throws IOException {
    return open(destination, options, new MomentOption(), surroundings, progress);
  }

  /** The same as of a moment. */
  static OpenArchive open(
      String destination,
      ArchiveOptions options,
      MomentOption moment,
      Surroundings surroundings,
      RestoreProgress progress)
      throws IOException {
    Compression.require(surroundings);
    Selection selection = options.selection();
    ReadOptions reading = moment.applyTo(options.reading(surroundings), surroundings);
    FileCalls calls = LinuxFileCalls.create();
    DestinationOpener opener =
        new DestinationOpener(
            new DestinationContext(calls, InstantSource.system(), new SecureRandom()),
            PluginDirectories.of(surroundings));
    Destination open =
        SlowAnswers.open(
            opener,
            DestinationText.parse(destination, surroundings).toString(),
            OpenIntent.READ,
            surroundings);
    try {
      ArchiveIndex index = ArchiveIndex.load(open, selection, reading, progress);
      if (index.isNoArchive() && (selection.agent().isEmpty() || index.objects() > 0)) {
        throw noArchive(destination, index.objects());
      }
      if (index.isLocked()) {
        throw locked(destination, reading.identities().size());
      }
      return new OpenArchive(calls, open, reading, index);
    } catch (IOException | RuntimeException e) {
      open.close();
      throw e;
    }
  }

  /** Fails, as {@link #open} does, if there is no object of an agent; lists no further than one. */
  static void requireAny(Destination destination, String place) throws DestinationException {
    long objects = 0;
    Optional<String> after = Optional.empty();
    do {
      Listing page = destination.list("", after, PAGE_ENTRIES);
      if (page.entries().stream().map(Entry::key).anyMatch(OpenArchive::isOfAgent)) {
        return;
      }
      objects += page.entries().size();
      after = page.nextAfter();
    } while (after.isPresent());
    throw noArchive(place, objects);
  }

  private static boolean isOfAgent(String key) {
    return ArchiveNames.parse(key).isPresent()
        || ArchiveNames.agentOfObject(key).isPresent()
        || PackName.parse(key).isPresent()
        || ManifestName.parse(key).isPresent();
  }

  private static UserException noArchive(String destination, long objects) {
    String place = Secrets.mask(destination);
    return UserException.failed(
        objects == 0
            ? "no archive at " + place + ": nothing is there"
            : "no archive at "
                + place
                + ": of "
                + Count.of(objects, "object")
                + " none is of an agent",
        "check path and prefix: it is the DESTINATION that was given to 'tailwater ship'; an agent"
            + " that has delivered nothing yet has left nothing there either");
  }

  private static UserException locked(String destination, int identities) {
    String why =
        switch (identities) {
          case 0 -> "no identity was given";
          case 1 -> "the identity that was given does not open it";
          default -> "none of the " + identities + " identities that were given opens it";
        };
    return UserException.failed(
        "the archive at " + Secrets.mask(destination) + " is encrypted, and " + why,
        "--identity FILE must hold the private key of one of the recipients");
  }

  FileCalls calls() {
    return calls;
  }

  Destination destination() {
    return destination;
  }

  ReadOptions reading() {
    return reading;
  }

  /** Returns what is found out about the signatures, which grows while the archive is read. */
  Authenticity authenticity() {
    return reading.authenticity();
  }

  ArchiveIndex index() {
    return index;
  }

  @Override
  public void close() throws DestinationException {
    destination.close();
  }
}
