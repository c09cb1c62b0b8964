package dev.tailwater.cli.command.archive;

import dev.tailwater.archive.Codec;
import dev.tailwater.archive.age.Identity;
import dev.tailwater.archive.name.AgentName;
import dev.tailwater.archive.sign.ObjectSigner;
import dev.tailwater.archive.sign.Trust;
import dev.tailwater.archive.sign.VerifyingKey;
import dev.tailwater.cli.host.Compression;
import dev.tailwater.cli.host.DestinationText;
import dev.tailwater.cli.host.PluginDirectories;
import dev.tailwater.cli.host.RecipientTexts;
import dev.tailwater.cli.host.SigningKeys;
import dev.tailwater.cli.host.SlowAnswers;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.cli.report.TerminalProgress;
import dev.tailwater.cli.value.ByteSizes;
import dev.tailwater.cli.value.Count;
import dev.tailwater.cli.value.Durations;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.cli.value.RevisionTexts;
import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationContext;
import dev.tailwater.destination.DestinationOpener;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.TransientDestinationException;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.restore.Authenticity;
import dev.tailwater.restore.Damage;
import dev.tailwater.restore.ReadOptions;
import dev.tailwater.restore.compact.CompactOptions;
import dev.tailwater.restore.compact.CompactReport;
import dev.tailwater.restore.compact.Compactor;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tailwater compact}. */
@Command(
    name = "compact",
    description = {
      "Merge the packs of an archive into fewer, longer ones, sorted by file.",
      "For a host that may read and delete: agents may run meanwhile, and it may be interrupted and"
          + " started again. A merged pack is read back before a pack that it holds is removed."
    })
public final class CompactCommand implements Callable<Integer> {
  private static final int MAX_LEVEL = 19;

  private final Surroundings surroundings;

  @Parameters(paramLabel = "DESTINATION", description = "Where the archive lives.")
  private String destination = "";

  @Option(
      names = "--identity",
      paramLabel = "FILE",
      description = "File of age private keys for encrypted packs. Can be given several times.")
  private List<String> identityFiles = new ArrayList<>();

  @Option(
      names = "--recipient",
      paramLabel = "KEY",
      description =
          "An age public key, or a file of them, to which encrypted packs are encrypted again. Give"
              + " all that the agents have. Without any, encrypted packs stay as they are.")
  private List<String> recipients = new ArrayList<>();

  @Option(names = "--level", paramLabel = "N", description = "Level of zstd, 1 to 19. Default: 12.")
  private int level = 12;

  @Option(
      names = "--older",
      paramLabel = "AGE",
      description =
          "Only groups of packs that have got none for this long, for example 6h or 7d. Default: 1h.")
  private String older = "1h";

  @Option(
      names = "--keep-revisions",
      paramLabel = "TIME",
      description =
          "What to keep of bytes that were replaced in their file: all, none, or those that were"
              + " replaced within this time, for example 7d. 'restore --at' gives back what is kept."
              + " Default: all.")
  private String keepRevisions = "all";

  @Option(names = "--agent", paramLabel = "NAME", description = "Only the packs of this agent.")
  private Optional<String> agent = Optional.empty();

  @Option(
      names = "--signing-key-file",
      paramLabel = "FILE",
      description =
          "Key to sign merged packs with, which readers name with 'compactor NAME KEY' in the file"
              + " for --trust. Needs --trust: nothing is signed that is not authentic. Without it,"
              + " signed packs stay as they are.")
  private Optional<String> signingKeyFile = Optional.empty();

  @Mixin private TrustOption trust = new TrustOption();

  @Option(names = "--dry-run", description = "Only say what would become of how many packs.")
  private boolean dryRun;

  public CompactCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws IOException {
    CompactOptions options = options();
    Compression.require(surroundings);
    DestinationOpener opener =
        new DestinationOpener(
            new DestinationContext(
                LinuxFileCalls.create(), InstantSource.system(), new SecureRandom()),
            PluginDirectories.of(surroundings));
    String place = DestinationText.parse(destination, surroundings).toString();
    requireArchive(opener, place);
    CompactReport report;
    try (TerminalProgress progress = TerminalProgress.of(surroundings, "compact");
        Destination open =
            SlowAnswers.open(
                opener, place, dryRun ? OpenIntent.READ : OpenIntent.WRITE, surroundings)) {
      report = new Compactor(open, options, progress, InstantSource.system()).compact();
    }
    print(report);
    ExitCode code = report.damages().isEmpty() ? ExitCode.DONE : ExitCode.PARTIAL;
    return code.number();
  }

  /** Before anything is opened for writing, which makes a directory. */
  private void requireArchive(DestinationOpener opener, String place) throws IOException {
    try (Destination open = SlowAnswers.open(opener, place, OpenIntent.READ, surroundings)) {
      OpenArchive.requireAny(open, destination);
      if (agent.isPresent()
          && open.list(agent.get() + "/", Optional.empty(), 1).entries().isEmpty()) {
        throw UserException.failed(
            "the archive has nothing of the agent " + agent.get(),
            "'tailwater ls " + destination + "' shows what is there");
      }
    } catch (TransientDestinationException e) {
      return; // The compactor asks again, and reports it.
    }
  }

  private CompactOptions options() throws IOException {
    if (level < 1 || level > MAX_LEVEL) {
      throw UserException.usage("--level: expected 1 to 19, not " + level, "--level 12");
    }
    if (agent.isPresent() && !AgentName.isValid(agent.get())) {
      throw ArchiveOptions.noSuchAgent(agent.get());
    }
    List<Identity> identities = IdentityFiles.read(identityFiles, surroundings);
    Authenticity authenticity = trust.authenticity(surroundings);
    if (signingKeyFile.isPresent() && !authenticity.isChecked()) {
      throw UserException.usage(
          "--signing-key-file without --trust would sign what anybody has put there",
          "--trust FILE with the keys of the agents, and of this compactor");
    }
    Optional<ObjectSigner> signer = signingKeyFile.map(this::signer);
    signer.ifPresent(own -> requireTrusted(own.publicKey(), authenticity.trust()));
    return new CompactOptions(
        agent,
        InstantSource.system().millis() - olderMillis(),
        new Codec.Zstd(level),
        RecipientTexts.read("--recipient", recipients, surroundings),
        signer,
        replacedByMillis(),
        dryRun,
        ReadOptions.defaults().withIdentities(identities).withAuthenticity(authenticity));
  }

  /** Refuses a key whose packs nobody would take, in the place of those that everybody takes. */
  private void requireTrusted(VerifyingKey own, Trust readers) {
    if (!readers.acceptsMerged(own, agent)) {
      throw UserException.usage(
          "--trust does not name the key of --signing-key-file, so nobody who reads with it would"
              + " take the merged packs",
          "name it in the file for --trust: compactor NAME " + own.text());
    }
  }

  private ObjectSigner signer(String file) {
    return new ObjectSigner(SigningKeys.read(file, surroundings), InstantSource.system()::millis);
  }

  private long replacedByMillis() {
    try {
      return RevisionTexts.parse(keepRevisions).replacedByMillis(InstantSource.system().millis());
    } catch (IllegalArgumentException e) {
      throw UserException.usage(
          "--keep-revisions: " + e.getMessage(), "for example --keep-revisions 7d");
    }
  }

  private long olderMillis() {
    try {
      return Durations.parse(older).toMillis();
    } catch (IllegalArgumentException e) {
      throw UserException.usage("--older: " + e.getMessage(), "for example --older 6h");
    }
  }

  private void print(CompactReport report) {
    for (Damage damage : report.damages()) {
      surroundings.err().println(Printable.line(damage.key() + ": " + damage.why()));
    }
    if (report.withoutRecipient() > 0) {
      surroundings
          .err()
          .println(
              "tailwater: "
                  + report.withoutRecipient()
                  + " encrypted packs stay as they are. Hint: --identity and --recipient");
    }
    if (report.withoutSigner() > 0) {
      surroundings
          .err()
          .println(
              "tailwater: "
                  + report.withoutSigner()
                  + " signed packs stay as they are. Hint: --signing-key-file and --trust");
    }
    if (report.replacedBytesLeft() > 0) {
      surroundings
          .err()
          .println(
              "tailwater: "
                  + ByteSizes.forPeople(report.replacedBytesLeft())
                  + " that were replaced stay, in packs that cannot be rewritten without others."
                  + " Hint: most can once the agent was started again");
    }
    String sizes =
        dryRun
            ? ByteSizes.forPeople(report.bytesBefore())
            : ByteSizes.forPeople(report.bytesBefore())
                + " became "
                + ByteSizes.forPeople(report.bytesAfter());
    surroundings
        .err()
        .println(
            "tailwater: "
                + report.mergedPacks()
                + " of "
                + Count.of(report.packs(), "pack")
                + (dryRun ? " would become " : " became ")
                + report.mergedInto()
                + ", "
                + sizes
                + "; removed: "
                + report.removedPacks()
                + "; too young: "
                + report.youngPacks()
                + (report.signedApart() == 0
                    ? ""
                    : "; of several runs, not joined since they are signed: "
                        + report.signedApart())
                + (report.coveredBytes() == 0
                    ? ""
                    : "; left out, since segments have it: "
                        + ByteSizes.forPeople(report.coveredBytes()))
                + (report.manifests() + report.removedManifests() == 0
                    ? ""
                    : "; manifests written: "
                        + report.manifests()
                        + ", removed: "
                        + report.removedManifests()));
  }
}
