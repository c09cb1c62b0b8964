package dev.tailwater.lab.buffer;

import dev.tailwater.lab.result.Quantity;
import dev.tailwater.lab.result.ResultTable;
import dev.tailwater.lab.result.ResultTable.Row;
import dev.tailwater.lab.result.Series;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The table of {@code typed-read}. */
final class TypedReadTable {
  static final String TITLE = "Files of 10 MiB added up a second";
  static final String WAY = "way";
  static final String TYPE = "values";
  static final String ORDER = "byte order";
  static final String BUFFER = "buffer";
  static final Quantity FILES = Quantity.more("files a second", "1/s");

  private TypedReadTable() {}

  static ResultTable of(Map<TypedReadVariant, Series> filesPerSecond) {
    List<Row> rows =
        filesPerSecond.entrySet().stream()
            .map(
                entry ->
                    new Row(
                        parameters(entry.getKey()),
                        List.of(Optional.of(entry.getValue())),
                        List.of(TypedReadArticle.filesPerSecond(entry.getKey()))))
            .toList();
    return new ResultTable(TITLE, List.of(WAY, TYPE, ORDER, BUFFER), List.of(FILES), rows);
  }

  private static List<String> parameters(TypedReadVariant variant) {
    return List.of(
        variant.way().toString(),
        variant.type().toString(),
        variant.order().toString(),
        variant.bufferInWords());
  }
}
