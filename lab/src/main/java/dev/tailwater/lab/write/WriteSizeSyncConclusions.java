package dev.tailwater.lab.write;

import dev.tailwater.lab.measure.Contender;
import dev.tailwater.lab.measure.Figures;
import dev.tailwater.lab.measure.Verdict;
import dev.tailwater.lab.result.Conclusion;
import dev.tailwater.lab.result.Conclusion.Certainty;
import dev.tailwater.lab.result.Recommendation;
import dev.tailwater.lab.result.Recommendation.Place;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.Series;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** The conclusions from the table of {@code write-size-sync}. */
final class WriteSizeSyncConclusions {
  private static final String SMALL = "8 KiB";
  private static final String ARTICLE_BEST = "128 KiB";

  /** The smallest gain that is worth changing a program. */
  private static final double WORTH_WHILE = 1.2;

  private final ResultTable table;
  private final String mount;
  private final int maxRequestBytes;

  /**
   * @param mount its name in the table; for a stand-in, only what was counted is concluded
   */
  WriteSizeSyncConclusions(ResultTable table, String mount, int maxRequestBytes) {
    this.table = table;
    this.mount = mount;
    this.maxRequestBytes = maxRequestBytes;
  }

  List<Conclusion> all() {
    List<Conclusion> all = new ArrayList<>();
    counted(SyncWay.STREAM).ifPresent(all::add);
    counted(SyncWay.BLOCK_WRITER).ifPresent(all::add);
    if (isStandIn()) {
      counted(SyncWay.TRANSFER_TO).ifPresent(all::add);
      counted(SyncWay.FILE_COPY).ifPresent(all::add);
      return all;
    }
    Optional<Contender> small = stream(SMALL);
    compared(stream(ARTICLE_BEST), small).ifPresent(all::add);
    fastestStream()
        .filter(best -> !Optional.of(best).equals(stream(ARTICLE_BEST)))
        .flatMap(best -> compared(Optional.of(best), small))
        .ifPresent(all::add);
    compared(of(SyncWay.BLOCK_WRITER, SMALL), small).ifPresent(all::add);
    compared(fastestStream(), of(SyncWay.TRANSFER_TO, SyncWay.OWN_SIZE)).ifPresent(all::add);
    compared(of(SyncWay.FILE_COPY, SyncWay.OWN_SIZE), of(SyncWay.TRANSFER_TO, SyncWay.OWN_SIZE))
        .ifPresent(all::add);
    compared(usual(), small).ifPresent(all::add);
    return all;
  }

  private boolean isStandIn() {
    return mount.equals(WriteSizeSyncTable.STAND_IN);
  }

  /**
   * Concludes how the number of requests depends on the size. The requests are counted, so nothing
   * is uncertain.
   */
  private Optional<Conclusion> counted(String way) {
    List<ResultTable.Row> rows =
        table.rows().stream()
            .filter(row -> table.matches(row, Map.of("mount", mount, "way", way)))
            .filter(row -> requests(row).isPresent())
            .toList();
    if (rows.isEmpty()) {
      return Optional.empty();
    }
    double most = rows.stream().mapToDouble(this::median).max().orElseThrow();
    double least = rows.stream().mapToDouble(this::median).min().orElseThrow();
    double floor = (1 << 20) / (double) maxRequestBytes;
    if (most == least) {
      String judged = most == floor ? ", the fewest that are possible" : "";
      return Optional.of(
          Conclusion.shown(
              "%s makes %s WRITE requests of a MiB%s%s."
                  .formatted(
                      way,
                      Figures.text(most),
                      rows.size() > 1 ? " whatever the size of a write" : "",
                      judged)));
    }
    StringBuilder text = new StringBuilder(way).append(" makes of a MiB");
    String comma = " ";
    for (ResultTable.Row row : rows) {
      text.append(comma)
          .append(Figures.text(median(row)))
          .append(" WRITE requests in writes of ")
          .append(row.parameters().getLast());
      row.article()
          .get(table.column(WriteSizeSyncTable.REQUESTS.name()))
          .ifPresent(then -> text.append(" (article: ").append(Figures.text(then)).append(')'));
      comma = ", ";
    }
    return Optional.of(
        Conclusion.shown(
            text.append("; ").append(Figures.text(floor)).append(" would do.").toString()));
  }

  private Optional<Series> requests(ResultTable.Row row) {
    return row.measured().get(table.column(WriteSizeSyncTable.REQUESTS.name()));
  }

  private double median(ResultTable.Row row) {
    return requests(row).orElseThrow().median();
  }

  private static Optional<Conclusion> compared(Optional<Contender> one, Optional<Contender> other) {
    return one.isEmpty() || other.isEmpty() || one.get().name().equals(other.get().name())
        ? Optional.empty()
        : Optional.of(Verdict.of(WriteSizeSyncTable.THROUGHPUT, one.get(), other.get()));
  }

  private Optional<Contender> of(String way, String size) {
    String name = size.equals(SyncWay.OWN_SIZE) ? way : way + " of " + size;
    return contender(name, Map.of("mount", mount, "way", way, "size", size));
  }

  private Optional<Contender> stream(String size) {
    return of(SyncWay.STREAM, size);
  }

  private Optional<Contender> usual() {
    return contender(
        SyncWay.STREAM + " onto the directory itself", Map.of("mount", WriteSizeSyncTable.USUAL));
  }

  private Optional<Contender> contender(String name, Map<String, String> wanted) {
    return Contender.of(name, table, WriteSizeSyncTable.THROUGHPUT.name(), wanted);
  }

  private Optional<Contender> fastestStream() {
    return table.rows().stream()
        .filter(row -> table.matches(row, Map.of("way", SyncWay.STREAM)))
        .filter(row -> table.matches(row, Map.of("mount", mount)))
        .flatMap(row -> stream(row.parameters().getLast()).stream())
        .max(Comparator.comparingDouble(contender -> contender.series().median()));
  }

  /** Recommends whole requests, if they were shown to be better by more than a little. */
  List<Recommendation> recommendations() {
    return (isStandIn() ? fewerRequests() : faster())
            .map(
                reason ->
                    new Recommendation(
                        Place.PROGRAM,
                        mount.equals(WriteSizeSyncTable.NOT_SYNCHRONOUS)
                            ? "size of a write to NFS"
                            : "size of a write to a synchronous mount",
                        isStandIn() ? "the mount's wsize" : Figures.size(maxRequestBytes),
                        "What one request carries, by BlockWriter or a buffer of that size. "
                            + reason))
            .stream()
            .toList();
  }

  /** Returns how much faster whole requests are, if that was shown. */
  Optional<String> faster() {
    Optional<Contender> small = stream(SMALL);
    Optional<Contender> gathered = of(SyncWay.BLOCK_WRITER, SMALL);
    if (small.isEmpty() || gathered.isEmpty()) {
      return Optional.empty();
    }
    Conclusion said = Verdict.of(WriteSizeSyncTable.THROUGHPUT, gathered.get(), small.get());
    boolean faster = gathered.get().series().median() > WORTH_WHILE * small.get().series().median();
    return said.certainty() == Certainty.SHOWN && faster
        ? Optional.of(said.text())
        : Optional.empty();
  }

  private Optional<String> fewerRequests() {
    OptionalDouble small = requests(SyncWay.STREAM);
    OptionalDouble gathered = requests(SyncWay.BLOCK_WRITER);
    return small.isPresent()
            && gathered.isPresent()
            && small.getAsDouble() > WORTH_WHILE * gathered.getAsDouble()
        ? Optional.of(
            "On the stand-in, %s of %s makes %s WRITE requests of a MiB, and %s makes %s; how much time that costs, only the mount itself can tell."
                .formatted(
                    SyncWay.STREAM,
                    SMALL,
                    Figures.text(small.getAsDouble()),
                    SyncWay.BLOCK_WRITER,
                    Figures.text(gathered.getAsDouble())))
        : Optional.empty();
  }

  /** Returns the WRITE requests for a MiB in small writes. */
  OptionalDouble requests(String way) {
    return table
        .series(
            WriteSizeSyncTable.REQUESTS.name(), Map.of("mount", mount, "way", way, "size", SMALL))
        .map(series -> OptionalDouble.of(series.median()))
        .orElse(OptionalDouble.empty());
  }
}
