package dev.tailwater.cli.ship;

import dev.tailwater.cli.host.PluginDirectories;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.host.WaitNote;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.cli.value.ByteSizes;
import dev.tailwater.cli.value.Count;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.delivery.DeliveredBefore;
import dev.tailwater.delivery.Preview;
import dev.tailwater.delivery.Preview.PreviewedFile;
import dev.tailwater.delivery.checkpoint.RememberedState;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationContext;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.DestinationOpener;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.destination.UnknownDestinationException;
import dev.tailwater.posix.EscapedPath;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.store.StoreLockedException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Lists what an agent would deliver, and changes nothing: no state directory, no lock, nothing at a
 * destination. A destination is asked what it holds only where the state does not tell.
 */
public final class DryRun {
  /** How long a destination may take to say what it holds. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final String WAITING =
      "waiting: a file system or a destination answers slowly, or not at all; or a source has many"
          + " names to look through";

  private static final String ROW = "%10s  %10s  %s%n";

  private final ShipPlan plan;
  private final Surroundings surroundings;
  private final FileCalls calls = LinuxFileCalls.create();
  private final InstantSource clock = InstantSource.system();
  private final DestinationOpener opener;

  /** Whether an agent could not open a required destination. */
  private boolean unopened;

  private final Set<ShipPlan.Target> placeless = new HashSet<>();

  public DryRun(ShipPlan plan, Surroundings surroundings) {
    this.plan = plan;
    this.surroundings = surroundings;
    this.opener =
        new DestinationOpener(
            new DestinationContext(calls, clock, new SecureRandom()),
            PluginDirectories.of(surroundings));
  }

  /**
   * Lists.
   *
   * @param once whether the agent would deliver what is there and exit
   */
  public ExitCode run(boolean once) throws IOException, InterruptedException {
    try (WaitNote wait = WaitNote.begin(surroundings, WaitNote.AFTER, WAITING)) {
      return run(once, wait);
    }
  }

  private ExitCode run(boolean once, WaitNote wait) throws IOException, InterruptedException {
    MissingSources missing = new MissingSources(plan, surroundings);
    int absent = missing.reportAbsent(once ? "it is left out" : "it is waited for").join();
    if (once) {
      missing.requireExisting(absent);
    }
    plan.destinations().forEach(this::requirePlace);
    Totals totals = new Totals(plan.destinations().size(), wait);
    Preview.Outcome outcome = preview(totals);
    int left =
        absent
            + missing.reportUnmatched(
                source -> !outcome.withoutFiles().contains(source),
                once ? "" : "; it is waited for");
    missing.reportLinks(outcome.symbolicLinks());
    if (once) {
      missing.requireAny(left);
    }
    totals.print(outcome);
    boolean whole =
        totals.unreadable == 0 && !unopened && outcome.isComplete() && (left == 0 || !once);
    return whole ? ExitCode.DONE : ExitCode.PARTIAL;
  }

  private Preview.Outcome preview(Preview.Listener listener)
      throws IOException, InterruptedException {
    List<String> uris = new ArrayList<>();
    for (ShipPlan.Target target : plan.destinations()) {
      uris.add(opener.canonical(target.uri().toString()).toString());
    }
    Path state = plan.stateDirectory();
    if (!Files.isDirectory(state) || isEmpty(state)) {
      return preview(uris, listed(uris, List.of()), listener);
    }
    try {
      RememberedState memory = RememberedState.of(calls, PosixPath.of(state), uris);
      List<String> known = memory.targets().stream().map(RememberedState.Target::uri).toList();
      Map<String, DeliveredBefore> listed = listed(uris, known);
      return memory.read(
          files -> {
            Map<String, DeliveredBefore> all = new HashMap<>(listed);
            for (int i = 0; i < files.size(); i++) {
              all.put(known.get(i), DeliveredBefore.remembered(files.get(i)));
            }
            return preview(uris, all, listener);
          });
    } catch (StoreLockedException e) {
      throw UserException.failed(
          "another agent uses " + state + ": " + e.getMessage(),
          "'tailwater status --state " + state + "' asks it; or use another --state");
    }
  }

  private Preview.Outcome preview(
      List<String> uris, Map<String, DeliveredBefore> held, Preview.Listener listener)
      throws IOException {
    List<DeliveredBefore> inOrder =
        uris.stream().map(uri -> Objects.requireNonNull(held.get(uri))).toList();
    return new Preview(calls, plan.config(), inOrder).run(listener);
  }

  /** Asks the destinations that the state does not know. */
  private Map<String, DeliveredBefore> listed(List<String> uris, List<String> known)
      throws IOException, InterruptedException {
    Map<String, DeliveredBefore> listed = new HashMap<>();
    for (int i = 0; i < uris.size(); i++) {
      if (!known.contains(uris.get(i))) {
        listed.put(uris.get(i), listed(plan.destinations().get(i)));
      }
    }
    return listed;
  }

  /** systemd makes the directory before the first agent starts. */
  private static boolean isEmpty(Path directory) throws IOException {
    try (var files = Files.newDirectoryStream(directory)) {
      return !files.iterator().hasNext();
    }
  }

  private DeliveredBefore listed(ShipPlan.Target target) throws IOException, InterruptedException {
    if (placeless.contains(target)) {
      return DeliveredBefore.nothing(); // It was said.
    }
    URI uri = target.uri();
    Optional<Path> directory = ShipPlan.localDirectory(target.uri());
    if (directory.isPresent() && !Files.exists(directory.get())) {
      say("the destination " + uri + " does not exist yet; ship would make it");
      return DeliveredBefore.nothing();
    }
    FutureTask<DeliveredBefore> asking = new FutureTask<>(() -> ask(target));
    Thread.ofPlatform().name("dry-run").daemon(true).start(asking);
    try {
      return asking.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      return unknown(uri, "it does not answer within " + PATIENCE.toSeconds() + " s");
    } catch (ExecutionException e) {
      return switch (e.getCause()) {
        case null -> throw new AssertionError("nothing is thrown without a cause", e);
        case UnknownDestinationException wrong -> throw wrong;
        case PermanentDestinationException failed when endsTheRun(target, failed) -> throw failed;
        case PermanentDestinationException failed ->
            unknown(uri, String.valueOf(failed.getMessage()), failed.finalHint());
        case DestinationException failed -> unknown(uri, String.valueOf(failed.getMessage()));
        case RuntimeException failed -> throw failed;
        case Error failed -> throw failed;
        default -> throw new AssertionError("nothing else is thrown", e);
      };
    }
  }

  /** An agent starts without one of several destinations, and leaves bytes behind there. */
  private boolean endsTheRun(ShipPlan.Target target, PermanentDestinationException e) {
    boolean isOpening = e.operation().equals("open");
    unopened |= isOpening && target.required();
    return isOpening && plan.destinations().size() == 1;
  }

  /** Fails, as the run, where something else than a directory is, or none can be made. */
  private void requirePlace(ShipPlan.Target target) {
    Optional<Path> directory = ShipPlan.localDirectory(target.uri());
    if (directory.isEmpty()) {
      return;
    }
    Path there = directory.get();
    while (!Files.exists(there) && there.getParent() != null) {
      there = there.getParent();
    }
    boolean isMade = there.equals(directory.get());
    if (Files.isDirectory(there) && (isMade || Files.isWritable(there))) {
      return;
    }
    String why =
        Files.isDirectory(there)
            ? "this user may not write to " + there
            : there + " is no directory";
    String problem = "the destination " + target.uri() + " cannot be opened: " + why;
    String hint = "give another destination, or see what is there: namei -l " + there;
    if (plan.destinations().size() == 1) {
      throw UserException.failed(problem, hint);
    }
    say(problem);
    hint(hint);
    unopened |= target.required();
    placeless.add(target);
  }

  private DeliveredBefore ask(ShipPlan.Target target) throws DestinationException {
    try (Destination open = opener.open(target.uri().toString(), OpenIntent.READ)) {
      return DeliveredBefore.list(
          calls, open, plan.config(), clock.millis(), new ProblemPrinter(surroundings));
    }
  }

  private DeliveredBefore unknown(URI uri, String why) {
    return unknown(uri, why, "ship asks it first, and sends nothing twice");
  }

  private DeliveredBefore unknown(URI uri, String why, String hint) {
    say("it is not known what " + uri + " holds already: " + why);
    hint(hint);
    return DeliveredBefore.nothing();
  }

  /** Prints each file that has something to deliver, and adds up. */
  private final class Totals implements Preview.Listener {
    private final WaitNote wait;
    private final long[] filesTo;
    private final long[] bytesTo;
    private long there;
    private long thereBytes;
    private long unreadable;
    private boolean headed;

    Totals(int destinations, WaitNote wait) {
      this.wait = wait;
      filesTo = new long[destinations];
      bytesTo = new long[destinations];
    }

    @Override
    public void file(PreviewedFile file) {
      wait.progress();
      for (int i = 0; i < filesTo.length; i++) {
        boolean lacks = file.missingBytes().get(i).orElse(1) > 0;
        filesTo[i] += lacks ? 1 : 0;
        bytesTo[i] += file.missingAt(i);
      }
      if (file.isDelivered()) {
        there++;
        thereBytes += file.sizeBytes();
        return;
      }
      row(
          ByteSizes.forPeople(file.mostMissing()),
          ByteSizes.forPeople(file.sizeBytes()),
          EscapedPath.of(file.path()));
    }

    private void row(String missing, String size, String path) {
      if (!headed) {
        surroundings.out().printf(ROW, "TO DELIVER", "SIZE", "FILE");
        headed = true;
      }
      surroundings.out().printf(ROW, missing, size, path);
    }

    @Override
    public void unreadable(PosixPath path, String why) {
      wait.progress();
      unreadable++;
      say("cannot be read: " + why);
    }

    void print(Preview.Outcome outcome) {
      for (int i = 0; i < filesTo.length; i++) {
        say(
            "dry run, nothing was changed: "
                + amount(filesTo[i], bytesTo[i])
                + " would go to "
                + plan.destinations().get(i).uri());
      }
      if (there > 0) {
        say(amount(there, thereBytes) + (there == 1 ? " is" : " are") + " delivered already");
      }
      if (unreadable > 0) {
        say(Count.of(unreadable, "file or directory", "files or directories") + " cannot be read");
        hint("run the agent as a user who may read them, or with CAP_DAC_READ_SEARCH");
      }
      if (outcome.foreignLinks() > 0) {
        say(
            Count.of(outcome.foreignLinks(), "hard link", "hard links")
                + " that others can have made: left out; foreign_hard_links: ship ships them");
      }
      if (!outcome.isComplete()) {
        say("not all files are listed: there is no memory for all names");
        hint("give the JVM more: TAILWATER_JAVA_OPTS=-Xmx512m");
      }
    }

    private static String amount(long files, long bytes) {
      return Count.of(files, "file") + ", " + ByteSizes.forPeople(bytes);
    }
  }

  private void say(String message) {
    surroundings.err().println("tailwater: " + Printable.sentence(message));
  }

  private void hint(String message) {
    surroundings.err().println("Hint: " + Printable.sentence(message));
  }
}
