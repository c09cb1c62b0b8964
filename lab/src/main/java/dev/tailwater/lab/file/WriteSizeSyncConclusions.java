package dev.tailwater.lab.file;

import dev.tailwater.lab.measure.Contender;
import dev.tailwater.lab.measure.Figures;
import dev.tailwater.lab.measure.Verdict;
import dev.tailwater.lab.result.Conclusion;
import dev.tailwater.lab.result.Conclusion.Certainty;
import dev.tailwater.lab.result.Quantity;
import dev.tailwater.lab.result.Recommendation;
import dev.tailwater.lab.result.Recommendation.Place;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.Series;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the table of {@code write-size-sync} allows to say. */
final class WriteSizeSyncConclusions {
  private static final String SMALL = "8 KiB";
  private static final String ARTICLE_BEST = "128 KiB";

  /** Whoever gains less by it need not change a program. */
  private static final double WORTH_WHILE = 1.2;

  private final ResultTable table;
  private final int maxRequestBytes;

  WriteSizeSyncConclusions(ResultTable table, int maxRequestBytes) {
    this.table = table;
    this.maxRequestBytes = maxRequestBytes;
  }

  List<Conclusion> all() {
    List<Conclusion> all = new ArrayList<>();
    counted(SyncWay.STREAM).ifPresent(all::add);
    counted(SyncWay.BLOCK_WRITER).ifPresent(all::add);
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

  /** Says how the number of requests depends on the size; counted, so nothing is uncertain. */
  private Optional<Conclusion> counted(String way) {
    List<ResultTable.Row> rows =
        table.rows().stream()
            .filter(
                row ->
                    table.matches(row, Map.of("mount", WriteSizeSyncTable.SYNCHRONOUS, "way", way)))
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
              "%s makes %s WRITE requests of a MiB whatever the size of a write%s."
                  .formatted(way, Figures.text(most), judged)));
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
    return contender(
        name, Map.of("mount", WriteSizeSyncTable.SYNCHRONOUS, "way", way, "size", size));
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
        .filter(row -> table.matches(row, Map.of("mount", WriteSizeSyncTable.SYNCHRONOUS)))
        .flatMap(row -> stream(row.parameters().getLast()).stream())
        .max(Comparator.comparingDouble(contender -> contender.series().median()));
  }

  /** To write in whole requests, where that was shown to be faster by more than a little. */
  List<Recommendation> recommendations() {
    Optional<Contender> small = stream(SMALL);
    Optional<Contender> gathered = of(SyncWay.BLOCK_WRITER, SMALL);
    if (small.isEmpty() || gathered.isEmpty()) {
      return List.of();
    }
    Quantity quantity = WriteSizeSyncTable.THROUGHPUT;
    Conclusion said = Verdict.of(quantity, gathered.get(), small.get());
    boolean faster = gathered.get().series().median() > WORTH_WHILE * small.get().series().median();
    return said.certainty() == Certainty.SHOWN && faster
        ? List.of(
            new Recommendation(
                Place.PROGRAM,
                "size of a write to a synchronous mount",
                Figures.size(maxRequestBytes),
                "What one request carries, by BlockWriter or a buffer of that size. "
                    + said.text()))
        : List.of();
  }
}
