package dev.tailwater.lab.write;

import dev.tailwater.io.mount.MountInfo;
import dev.tailwater.io.mount.NfsMount;
import dev.tailwater.io.mount.NfsRequests;
import dev.tailwater.lab.experiment.Findings;
import dev.tailwater.lab.experiment.Headline;
import dev.tailwater.lab.experiment.PlannedExperiment;
import dev.tailwater.lab.experiment.Topic;
import dev.tailwater.lab.measure.Effort;
import dev.tailwater.lab.measure.Figures;
import dev.tailwater.lab.measure.Laboratory;
import dev.tailwater.lab.measure.RandomFile;
import dev.tailwater.lab.measure.Rounds;
import dev.tailwater.lab.result.Plot;
import dev.tailwater.lab.result.Recommendation;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.Series;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.testkit.fuse.FuseFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code write-size-sync}, article 000: a file is copied onto a synchronous mount in pieces of 8
 * KiB to 1 MiB, and the WRITE requests are counted: by the kernel's statistics if the directory is
 * on NFS, otherwise on a stand-in. The directory itself is measured too, as the article's usual
 * mount.
 */
public final class WriteSizeSyncExperiment
    extends PlannedExperiment<WriteSizeSyncExperiment.SyncPlan> {
  private static final Topic TOPIC =
      Topic.ofArticle("000", "write-size-sync", "How large must writes to a synchronous mount be?");

  private static final List<Integer> SIZES_BYTES = List.of(8 << 10, 64 << 10, 128 << 10, 1 << 20);

  /**
   * The delay of the stand-in, which determines its throughput, so nothing is concluded from that.
   */
  private static final long STAND_IN_DELAY_MICROS = 1_000;

  public WriteSizeSyncExperiment() {
    super(TOPIC, SyncPlan::of);
  }

  WriteSizeSyncExperiment(SyncPlan plan) {
    super(TOPIC, effort -> plan);
  }

  /**
   * How much the experiment measures.
   *
   * @param atMost the time after which no round begins
   */
  record SyncPlan(
      long fileBytes, List<Integer> sizesBytes, int warmUps, int rounds, Duration atMost) {
    static SyncPlan of(Effort effort) {
      return effort.pick(
          new SyncPlan(2 << 20, SIZES_BYTES, 1, 5, Duration.ofSeconds(8)),
          new SyncPlan(16 << 20, SIZES_BYTES, 1, 7, Duration.ofSeconds(64)),
          new SyncPlan(100 << 20, SIZES_BYTES, 1, 7, Duration.ofMinutes(10)));
    }
  }

  @Override
  public Optional<Headline> headline(List<ResultTable> tables) {
    return WriteSizeSyncHeadline.of(tables);
  }

  @Override
  public Duration expectedTime(Effort effort) {
    return effort.pick(Duration.ofSeconds(6), Duration.ofSeconds(50), Duration.ofMinutes(5));
  }

  @Override
  public Optional<String> missing(Laboratory laboratory) throws IOException {
    if (nfs(laboratory).isPresent()) {
      return Optional.empty();
    }
    return FuseFileSystem.missing()
        .map(
            reason ->
                "the directory is not on NFS, and no stand-in can be mounted: "
                    + reason
                    + "; install it, or give a directory on an NFS mount with --dir");
  }

  private static Optional<MountInfo> nfs(Laboratory laboratory) throws IOException {
    MountInfo mount = MountInfo.of(laboratory.calls(), PosixPath.of(laboratory.directory()));
    boolean counted =
        mount.nfs().isPresent()
            && NfsRequests.of(laboratory.calls(), mount.mountPoint()).isPresent();
    return counted ? Optional.of(mount) : Optional.empty();
  }

  @Override
  protected Findings run(Laboratory laboratory, SyncPlan plan)
      throws IOException, InterruptedException {
    Optional<MountInfo> nfs = nfs(laboratory);
    Path from = laboratory.directory().resolve("source.bin");
    if (nfs.isPresent()) { // reading over the same mount would be measured too
      from = Files.createTempFile("tailwater-lab", ".bin");
      from.toFile().deleteOnExit(); // it is not where the lab removes all when it is stopped
    }
    try (CountedMount mount = mount(laboratory, nfs)) {
      RandomFile.write(from, plan.fileBytes(), laboratory.random());
      ResultTable table = measure(laboratory, plan, mount, from, nfs.isPresent());
      return findings(plan, mount, nfs.flatMap(MountInfo::nfs), table);
    } finally {
      Files.deleteIfExists(from);
    }
  }

  private static CountedMount mount(Laboratory laboratory, Optional<MountInfo> nfs)
      throws IOException {
    return nfs.isPresent()
        ? new NfsCountedMount(laboratory.directory(), laboratory.calls(), nfs.get())
        : StandInMount.below(laboratory.directory(), STAND_IN_DELAY_MICROS);
  }

  private static ResultTable measure(
      Laboratory laboratory, SyncPlan plan, CountedMount mount, Path from, boolean onNfs)
      throws IOException, InterruptedException {
    CountedCopy copies = new CountedCopy(mount, from);
    List<SyncWay> ways = SyncWay.all(new CopyWays(laboratory.calls()), plan.sizesBytes());
    Rounds<List<String>> rounds = new Rounds<>();
    for (SyncWay way : ways) {
      copies.run(way); // before the mount is slow, so that all code is warm
      List<String> parameters = List.of(mount.name(), way.name(), way.size());
      rounds.add(parameters, () -> copies.run(way));
    }
    if (!onNfs) {
      SyncWay usual = ways.getFirst();
      List<String> parameters = List.of(WriteSizeSyncTable.USUAL, usual.name(), usual.size());
      Path to = laboratory.directory().resolve("usual.bin");
      rounds.add(parameters, () -> copies.runUncounted(usual, to));
    }
    mount.beSlow();
    Map<List<String>, List<Series>> measured =
        rounds.measure(laboratory, plan.warmUps(), plan.rounds(), plan.atMost());
    return WriteSizeSyncTable.of(measured);
  }

  private static Findings findings(
      SyncPlan plan, CountedMount mount, Optional<NfsMount> nfs, ResultTable table) {
    Map<String, String> conditions = new LinkedHashMap<>();
    conditions.put("mount", mount.description());
    conditions.put("most that one request carries", Figures.size(mount.maxRequestBytes()));
    conditions.put("file size", Figures.size(plan.fileBytes()) + " (article: 100 MiB)");
    conditions.put("rounds", WriteSizeSyncTable.rounds(table) + " of " + plan.rounds());
    WriteSizeSyncConclusions conclusions =
        new WriteSizeSyncConclusions(table, mount.name(), mount.maxRequestBytes());
    List<Recommendation> recommendations = new ArrayList<>(conclusions.recommendations());
    nfs.ifPresent(
        options -> recommendations.addAll(new NfsAdvice(conclusions).recommendations(options)));
    return new Findings(
        conditions, List.of(table), plots(mount), conclusions.all(), recommendations);
  }

  private static List<Plot> plots(CountedMount mount) {
    Map<String, String> only = Map.of("mount", mount.name());
    return List.of(
        new Plot(
            "Throughput by size of a write, " + mount.description(),
            WriteSizeSyncTable.TITLE,
            WriteSizeSyncTable.THROUGHPUT.name(),
            "size",
            "way",
            only,
            Plot.Shape.BARS,
            false),
        new Plot(
            "WRITE requests for each MiB by size of a write",
            WriteSizeSyncTable.TITLE,
            WriteSizeSyncTable.REQUESTS.name(),
            "size",
            "way",
            only,
            Plot.Shape.BARS,
            true));
  }
}
