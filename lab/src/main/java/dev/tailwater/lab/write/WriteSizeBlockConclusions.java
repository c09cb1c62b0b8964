package dev.tailwater.lab.write;

import dev.tailwater.lab.measure.Contender;
import dev.tailwater.lab.measure.Figures;
import dev.tailwater.lab.measure.Verdict;
import dev.tailwater.lab.result.Conclusion;
import dev.tailwater.lab.result.Conclusion.Certainty;
import dev.tailwater.lab.result.Quantity;
import dev.tailwater.lab.result.Recommendation;
import dev.tailwater.lab.result.Recommendation.Place;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.ResultTable.Row;
import dev.tailwater.lab.result.Series;
import dev.tailwater.lab.write.BlockFile.State;
import dev.tailwater.lab.write.BlockFile.Way;
import dev.tailwater.lab.write.WriteSizeBlockTable.Variant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The conclusions from the table of {@code write-size-block}, volume by volume. */
final class WriteSizeBlockConclusions {
  /** The article's chunk that is not a multiple of its block; {@link #EVEN} is one that is. */
  private static final int ODD = 6144;

  private static final int EVEN = 8192;

  /** The smallest gain that is worth changing a program. */
  private static final double WORTH_WHILE = 1.2;

  private final ResultTable table;

  WriteSizeBlockConclusions(ResultTable table) {
    this.table = table;
  }

  /** Returns the conclusions about one volume. */
  List<Conclusion> about(String volume, String kind) {
    List<Conclusion> all = new ArrayList<>();
    Variant oddCold = new Variant(volume, kind, State.OVERWRITE_COLD, Way.PLAIN, ODD);
    reads(oddCold).ifPresent(all::add);
    compared(volume, oddCold, with(oddCold, Way.PLAIN, EVEN)).ifPresent(all::add);
    compared(volume, with(oddCold, Way.BLOCK_WRITER, ODD), oddCold).ifPresent(all::add);
    compared(volume, with(oddCold, Way.BLOCK_WRITER, ODD), with(oddCold, Way.BLOCK_WRITER, EVEN))
        .ifPresent(all::add);
    for (State state : List.of(State.OVERWRITE_WARM, State.APPEND)) {
      Variant odd = new Variant(volume, kind, state, Way.PLAIN, ODD);
      compared(volume, odd, with(odd, Way.PLAIN, EVEN)).ifPresent(all::add);
    }
    readsOfOurs(volume).ifPresent(all::add);
    return all;
  }

  private static Variant with(Variant variant, Way way, int chunkBytes) {
    return new Variant(variant.volume(), variant.kind(), variant.state(), way, chunkBytes);
  }

  private Optional<Conclusion> compared(String volume, Variant one, Variant other) {
    return verdict(one, other)
        .map(said -> new Conclusion(said.certainty(), volume + ": " + said.text()));
  }

  private Optional<Conclusion> verdict(Variant one, Variant other) {
    Optional<Contender> first = WriteSizeBlockTable.contender(table, one);
    Optional<Contender> second = WriteSizeBlockTable.contender(table, other);
    return first.isEmpty() || second.isEmpty()
        ? Optional.empty()
        : Optional.of(Verdict.of(WriteSizeBlockTable.THROUGHPUT, first.get(), second.get()));
  }

  /**
   * Concludes how much a plain overwrite of cold data reads first. The reads are counted, so
   * nothing is uncertain.
   */
  private Optional<Conclusion> reads(Variant oddCold) {
    Optional<Series> odd = read(oddCold);
    Optional<Series> even = read(with(oddCold, Way.PLAIN, EVEN));
    return odd.isEmpty() || even.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Conclusion.shown(
                ("%s: overwriting cold data with RandomAccessFile reads %s KiB of a MiB in chunks"
                        + " of %d, and %s in chunks of %d.")
                    .formatted(
                        oddCold.volume(),
                        Figures.text(odd.get().median()),
                        ODD,
                        Figures.text(even.get().median()),
                        EVEN)));
  }

  private Optional<Series> read(Variant variant) {
    return table.series(WriteSizeBlockTable.READ.name(), variant.wanted());
  }

  /** Concludes the most that a BlockWriter read. */
  private Optional<Conclusion> readsOfOurs(String volume) {
    Quantity read = WriteSizeBlockTable.READ;
    Map<String, String> ours =
        Map.of(
            WriteSizeBlockTable.VOLUME,
            volume,
            WriteSizeBlockTable.WAY,
            WriteSizeBlockTable.words(Way.BLOCK_WRITER));
    List<Row> rows =
        table.rows().stream()
            .filter(row -> table.matches(row, ours))
            .filter(row -> row.measured().get(table.column(read.name())).isPresent())
            .toList();
    if (rows.isEmpty()) {
      return Optional.empty();
    }
    double most =
        rows.stream()
            .flatMap(row -> row.measured().get(table.column(read.name())).stream())
            .flatMap(series -> series.samples().stream())
            .mapToDouble(Double::doubleValue)
            .max()
            .orElseThrow();
    String text =
        most == 0
            ? "%s: BlockWriter read nothing from the disk, whatever the chunk"
            : "%s: BlockWriter read at most " + Figures.text(most) + " KiB of a MiB";
    return Optional.of(Conclusion.shown(text.formatted(volume) + "."));
  }

  /** Recommends whole blocks, if other chunks were shown to cost more on that volume. */
  Optional<Recommendation> recommendation(String volume, String kind, int blockBytes) {
    Variant odd = new Variant(volume, kind, State.OVERWRITE_COLD, Way.PLAIN, ODD);
    Variant even = with(odd, Way.PLAIN, EVEN);
    Optional<Contender> slow = WriteSizeBlockTable.contender(table, odd);
    Optional<Contender> fast = WriteSizeBlockTable.contender(table, even);
    if (slow.isEmpty() || fast.isEmpty() || EVEN % blockBytes != 0) {
      return Optional.empty();
    }
    Conclusion said = Verdict.of(WriteSizeBlockTable.THROUGHPUT, fast.get(), slow.get());
    boolean faster = fast.get().series().median() > WORTH_WHILE * slow.get().series().median();
    return said.certainty() == Certainty.SHOWN && faster
        ? Optional.of(
            new Recommendation(
                Place.PROGRAM,
                "size of a write that overwrites",
                "multiples of " + blockBytes + " bytes, aligned",
                "Other sizes make the kernel read first; BlockWriter gathers them. " + said.text()))
        : Optional.empty();
  }
}
