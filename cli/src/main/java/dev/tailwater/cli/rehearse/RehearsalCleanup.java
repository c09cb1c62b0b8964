package dev.tailwater.cli.rehearse;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.cli.child.FileTree;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.cli.probe.Leftovers;
import dev.tailwater.cli.probe.Scratch;
import dev.tailwater.cli.probe.UriTarget;
import dev.tailwater.cli.value.Count;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.DestinationOpener;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The directory and the folders at destinations that a rehearsal works in, and their removal, also
 * while the process is being stopped. Thread-safe.
 */
public final class RehearsalCleanup implements AutoCloseable {
  private final RehearsalPaths places;
  private final String folder;
  private final List<Scratch> scratches;

  @GuardedBy("this")
  private final List<String> left = new ArrayList<>();

  @GuardedBy("this")
  private boolean removed;

  private volatile boolean stopped;

  private RehearsalCleanup(RehearsalPaths places, String folder, List<Scratch> scratches) {
    this.places = places;
    this.folder = folder;
    this.scratches = scratches;
  }

  /**
   * Creates the directory. The folders come with the objects that are put into them.
   *
   * @param ground where the directory is made
   * @param folder its name below each destination, which nobody else uses
   */
  public static RehearsalCleanup begin(
      Path ground,
      String folder,
      List<URI> destinations,
      DestinationOpener opener,
      Surroundings surroundings)
      throws IOException {
    List<Scratch> scratches = new ArrayList<>();
    Optional<RehearsalCleanup> begun = Optional.empty();
    try {
      for (URI destination : destinations) {
        scratches.add(Scratch.open(new UriTarget(destination, opener, surroundings), folder));
      }
      begun = Optional.of(new RehearsalCleanup(create(ground), folder, scratches));
      return begun.get();
    } finally {
      if (begun.isEmpty()) {
        close(scratches);
      }
    }
  }

  private static RehearsalPaths create(Path ground) throws IOException {
    if (Files.isRegularFile(ground)) {
      throw UserException.usage("--dir " + ground + ": not a directory", "give a directory");
    }
    try {
      return RehearsalPaths.create(ground);
    } catch (NoSuchFileException e) {
      throw UserException.usage("--dir " + ground + ": no such directory", "make it before");
    }
  }

  private static void close(List<Scratch> scratches) throws DestinationException {
    for (Scratch scratch : scratches) {
      scratch.close();
    }
  }

  public RehearsalPaths places() {
    return places;
  }

  public String folder() {
    return folder;
  }

  /**
   * Notes in the directory which folder belongs to it, and names the directories of others: nobody
   * removes what a rehearsal has left that was killed.
   */
  public void tellApart(PrintStream err) throws IOException {
    places.noteFolder(folder);
    for (RehearsalPaths other : places.others()) {
      String itsFolder =
          other
              .notedFolder()
              .map(name -> ", as is the folder " + name + " at its destinations")
              .orElse("");
      err.println(
          "tailwater: "
              + Printable.line(other.root() + " is of another rehearsal" + itsFolder)
              + "; if that was killed, remove what it has left");
    }
  }

  /** Marks the rehearsal as stopped: failures from now on are a consequence of that. */
  public void stop() {
    stopped = true;
  }

  public boolean isStopped() {
    return stopped;
  }

  /** Prints the output of the agents, to find the reason of a failure. */
  public void printOutput(PrintStream err) throws IOException {
    if (Files.exists(places.output())) {
      Files.readAllLines(places.output())
          .forEach(line -> err.println("  agent: " + Printable.sentence(line)));
    }
  }

  /** Removes everything, once. Nothing of the rehearsal may run any more. */
  public synchronized void remove() {
    if (removed) {
      return;
    }
    removed = true;
    for (Scratch scratch : scratches) {
      Leftovers leftovers = scratch.cleanUp();
      if (leftovers.why().isPresent()) {
        left.add(
            Count.of(leftovers.keys().size(), "object")
                + " below "
                + folder
                + ": "
                + leftovers.why().get());
      }
    }
    try {
      FileTree.delete(places.root());
    } catch (IOException e) {
      left.add(places.root() + ": " + Printable.reason(e));
    }
  }

  /** Prints what could not be removed, and why. */
  public synchronized void printLeft(PrintStream err) {
    left.forEach(what -> err.println("tailwater: not removed: " + Printable.line(what)));
  }

  /** Removes everything if that was not done, and closes the destinations. */
  @Override
  public void close() throws DestinationException {
    remove();
    close(scratches);
  }
}
