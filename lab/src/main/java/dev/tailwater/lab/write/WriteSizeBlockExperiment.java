package dev.tailwater.lab.write;

import dev.tailwater.lab.experiment.Findings;
import dev.tailwater.lab.experiment.Headline;
import dev.tailwater.lab.experiment.PlannedExperiment;
import dev.tailwater.lab.experiment.Topic;
import dev.tailwater.lab.measure.Effort;
import dev.tailwater.lab.measure.Figures;
import dev.tailwater.lab.measure.Laboratory;
import dev.tailwater.lab.measure.Rounds;
import dev.tailwater.lab.result.Conclusion;
import dev.tailwater.lab.result.Plot;
import dev.tailwater.lab.result.Recommendation;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.Series;
import dev.tailwater.lab.write.BlockFile.State;
import dev.tailwater.lab.write.BlockFile.Way;
import dev.tailwater.lab.write.BlockVolume.LoopKind;
import dev.tailwater.lab.write.WriteSizeBlockTable.Variant;
import dev.tailwater.posix.testkit.UnavailableException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * {@code write-size-block}, article 001: a file is appended to, overwritten cold and overwritten
 * warm, by RandomAccessFile and by BlockWriter, in chunks that are multiples of the block size and
 * in others. The reads of the disk meanwhile are counted. This is done in the directory itself, and
 * as root on ext4 with blocks of 4 and 2 KiB too.
 */
public final class WriteSizeBlockExperiment
    extends PlannedExperiment<WriteSizeBlockExperiment.BlockPlan> {
  private static final Topic TOPIC =
      Topic.ofArticle("001", "write-size-block", "Must writes be multiples of the block size?");

  private static final List<Integer> ARTICLE_CHUNKS = List.of(2048, 4096, 6144, 8192);
  private static final List<Integer> MORE_CHUNKS = List.of(1000, 2048, 4096, 6144, 8192);
  private static final List<Way> WAYS = List.of(Way.PLAIN, Way.BLOCK_WRITER);
  private static final List<LoopKind> ARTICLE_KINDS =
      List.of(LoopKind.EXT4_4_KIB, LoopKind.EXT4_2_KIB);
  private static final List<LoopKind> MORE_KINDS =
      List.of(LoopKind.EXT4_4_KIB, LoopKind.EXT4_2_KIB, LoopKind.XFS_4_KIB);

  public WriteSizeBlockExperiment() {
    super(TOPIC, BlockPlan::of);
  }

  WriteSizeBlockExperiment(BlockPlan plan) {
    super(TOPIC, effort -> plan);
  }

  /**
   * How much the experiment measures.
   *
   * @param atMost the time after which no round begins
   */
  record BlockPlan(
      long fileBytes,
      List<Integer> chunksBytes,
      List<LoopKind> loops,
      int warmUps,
      int rounds,
      Duration atMost) {
    static BlockPlan of(Effort effort) {
      return effort.pick(
          new BlockPlan(2 << 20, ARTICLE_CHUNKS, ARTICLE_KINDS, 1, 5, Duration.ofSeconds(9)),
          new BlockPlan(16 << 20, ARTICLE_CHUNKS, ARTICLE_KINDS, 1, 7, Duration.ofSeconds(75)),
          new BlockPlan(128 << 20, MORE_CHUNKS, MORE_KINDS, 0, 5, Duration.ofMinutes(15)));
    }
  }

  @Override
  public Optional<Headline> headline(List<ResultTable> tables) {
    return WriteSizeBlockHeadline.of(tables);
  }

  @Override
  public Duration expectedTime(Effort effort) {
    return effort.pick(Duration.ofSeconds(10), Duration.ofSeconds(70), Duration.ofMinutes(15));
  }

  @Override
  protected Findings run(Laboratory laboratory, BlockPlan plan)
      throws IOException, InterruptedException {
    Map<String, String> conditions = new LinkedHashMap<>();
    conditions.put("file size", Figures.size(plan.fileBytes()) + " (article: 128 MiB)");
    try (BlockVolumes volumes = new BlockVolumes()) {
      volumes.add(BlockVolume.ofDirectory(laboratory, plan.fileBytes()));
      for (LoopKind kind : plan.loops()) {
        laboratory.time().requireTime("making file systems");
        try {
          volumes.add(BlockVolume.onLoop(laboratory, kind, plan.fileBytes()));
        } catch (UnavailableException e) {
          conditions.put(
              "loop: " + kind.words(), "not measured: " + withoutPath(e.getMessage(), laboratory));
        }
      }
      ResultTable table = measure(laboratory, plan, volumes.all(), conditions);
      return findings(conditions, volumes.all(), table);
    }
  }

  /** Removes paths from the message of a failed command, since reports contain no paths. */
  static String withoutPath(@Nullable String message, Laboratory laboratory) throws IOException {
    return String.valueOf(message)
        .replace(laboratory.directory().toRealPath().toString(), "DIR")
        .replace(laboratory.directory().toString(), "DIR");
  }

  private static ResultTable measure(
      Laboratory laboratory,
      BlockPlan plan,
      List<BlockVolume> volumes,
      Map<String, String> conditions)
      throws IOException, InterruptedException {
    Rounds<Variant> rounds = new Rounds<>();
    for (BlockVolume volume : volumes) {
      boolean cold = volume.file().canBeCold();
      if (!cold) {
        conditions.put(
            volume.name() + ", cold", "not measured: the file system keeps files in memory");
      }
      for (State state : State.values()) {
        if (state != State.OVERWRITE_COLD || cold) {
          add(rounds, plan, volume, state);
        }
      }
    }
    Map<Variant, List<Series>> measured =
        rounds.measure(laboratory, plan.warmUps(), plan.rounds(), plan.atMost());
    int done = measured.values().iterator().next().getFirst().samples().size();
    conditions.put("rounds", done + " of " + plan.rounds());
    boolean counted = volumes.getFirst().file().countsReads();
    conditions.put(
        "disk reads",
        "of the loop device; in the directory, "
            + (counted
                ? "bytes that this thread caused alone"
                : "nobody counts them: the kernel does not tell whose they are on this mount"));
    conditions.put("loop devices", "their reads may be answered from memory, where the image lies");
    return WriteSizeBlockTable.of(measured);
  }

  private static void add(Rounds<Variant> rounds, BlockPlan plan, BlockVolume volume, State state) {
    for (Way way : WAYS) {
      for (int chunkBytes : plan.chunksBytes()) {
        rounds.add(
            new Variant(volume.name(), volume.kind(), state, way, chunkBytes),
            () ->
                WriteSizeBlockTable.quantities(
                    volume.file().measure(state, way, chunkBytes), plan.fileBytes()));
      }
    }
  }

  private static Findings findings(
      Map<String, String> conditions, List<BlockVolume> volumes, ResultTable table) {
    WriteSizeBlockConclusions conclusions = new WriteSizeBlockConclusions(table);
    List<Conclusion> all = new ArrayList<>();
    List<Plot> plots = new ArrayList<>();
    for (BlockVolume volume : volumes) {
      all.addAll(conclusions.about(volume.name(), volume.kind()));
      plots.add(plot(volume.name(), State.OVERWRITE_COLD, table));
    }
    BlockVolume directory = volumes.getFirst();
    List<Recommendation> recommendations =
        conclusions
            .recommendation(directory.name(), directory.kind(), directory.blockBytes())
            .stream()
            .toList();
    return new Findings(conditions, List.of(table), plots, all, recommendations);
  }

  private static Plot plot(String volume, State wanted, ResultTable table) {
    Map<String, String> cold =
        Map.of(
            WriteSizeBlockTable.VOLUME,
            volume,
            WriteSizeBlockTable.STATE,
            WriteSizeBlockTable.words(wanted));
    boolean measured = table.rows().stream().anyMatch(row -> table.matches(row, cold));
    State state = measured ? wanted : State.OVERWRITE_WARM;
    return new Plot(
        "Throughput by chunk, %s; %s".formatted(WriteSizeBlockTable.words(state), volume),
        WriteSizeBlockTable.TITLE,
        WriteSizeBlockTable.THROUGHPUT.name(),
        WriteSizeBlockTable.CHUNK,
        WriteSizeBlockTable.WAY,
        Map.of(
            WriteSizeBlockTable.VOLUME,
            volume,
            WriteSizeBlockTable.STATE,
            WriteSizeBlockTable.words(state)),
        Plot.Shape.BARS,
        false);
  }
}
