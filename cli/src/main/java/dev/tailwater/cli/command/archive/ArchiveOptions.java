package dev.tailwater.cli.command.archive;

import dev.tailwater.archive.name.AgentName;
import dev.tailwater.cli.host.Surroundings;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.restore.ReadOptions;
import dev.tailwater.restore.durable.DescriptorShares;
import dev.tailwater.restore.list.Selection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of every command that reads an archive. */
final class ArchiveOptions {
  @Option(
      names = "--identity",
      paramLabel = "FILE",
      description = "File of age private keys for encrypted segments. Can be given several times.")
  private List<String> identityFiles = new ArrayList<>();

  @Option(
      names = "--allow-plain",
      description =
          "With --identity, also trust segments that are not encrypted, although anybody"
              + " who can write to the destination can have put them there.")
  private boolean allowPlain;

  @Option(
      names = "--only",
      paramLabel = "GLOB",
      description =
          "Only files whose last known path matches; ** crosses directories. Can be given"
              + " several times.")
  private List<String> only = new ArrayList<>();

  @Option(names = "--agent", paramLabel = "NAME", description = "Only the files of this agent.")
  private String agent = "";

  @Option(
      names = "--jobs",
      paramLabel = "N",
      description =
          "Objects read at the same time, 1 to 64. Default: two for each processor, at most 8.")
  private Optional<Integer> jobs = Optional.empty();

  @Mixin private TrustOption trust = new TrustOption();

  Selection selection() {
    if (!agent.isEmpty() && !AgentName.isValid(agent)) {
      throw noSuchAgent(agent);
    }
    try {
      return new Selection(agent.isEmpty() ? Optional.empty() : Optional.of(agent), only);
    } catch (IllegalArgumentException e) {
      throw UserException.usage("--only: " + e.getMessage(), "for example --only '*.log'");
    }
  }

  /** Refuses what cannot be the name of an agent. */
  static UserException noSuchAgent(String name) {
    return UserException.usage(
        "--agent: no agent has the name " + Printable.line(name),
        "'tailwater ls' shows the agents");
  }

  ReadOptions reading(Surroundings surroundings) throws IOException {
    if (allowPlain && identityFiles.isEmpty()) {
      throw UserException.noEffect("--allow-plain", "--identity");
    }
    ReadOptions options =
        ReadOptions.defaults()
            .withIdentities(IdentityFiles.read(identityFiles, surroundings))
            .withAllowPlain(allowPlain)
            .withAuthenticity(trust.authenticity(surroundings));
    int most = DescriptorShares.ofProcess().jobs();
    if (jobs.isEmpty()) {
      return options.withJobs(Math.min(options.jobs(), most));
    }
    if (jobs.get() < 1 || jobs.get() > 64) {
      throw UserException.usage("--jobs: expected 1 to 64, not " + jobs.get(), "--jobs 4");
    }
    if (jobs.get() > most) {
      surroundings
          .err()
          .println(
              "tailwater: --jobs "
                  + jobs.get()
                  + " is more than the limit of open files allows; using "
                  + most
                  + ". Hint: raise the limit: ulimit -n 1024");
    }
    return options.withJobs(Math.min(jobs.get(), most));
  }
}
