package dev.tailwater.cli.estimate;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * List prices of object stores.
 *
 * @param date when they were written down, as ISO 8601 has it
 * @param currency of all of them
 */
public record PriceTable(String date, String currency, List<StorePrices> stores) {
  private static final String SHIPPED = "prices.yaml";

  public PriceTable {
    stores = List.copyOf(stores);
  }

  /** Returns the table that comes with the program. */
  public static PriceTable shipped() {
    try (@Nullable InputStream in = PriceTable.class.getResourceAsStream(SHIPPED)) {
      if (in == null) {
        throw new IllegalStateException("the program has lost its " + SHIPPED);
      }
      return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads a table.
   *
   * @throws IllegalArgumentException it is none; the message names the key
   */
  public static PriceTable parse(String yaml) {
    PriceNode root = PriceNode.parse(yaml);
    root.knows("date", "currency", "stores");
    List<StorePrices> stores = root.items("stores").stream().map(PriceTable::store).toList();
    return new PriceTable(date(root), root.text("currency"), stores);
  }

  private static String date(PriceNode root) {
    String text = root.text("date");
    try {
      return LocalDate.parse(text).toString();
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(
          root.at("date") + ": expected a date such as 2026-01-31, not '" + text + "'", e);
    }
  }

  private static StorePrices store(PriceNode node) {
    node.knows(
        "name",
        "kind",
        "region",
        "put_per_1000",
        "list_per_1000",
        "get_per_1000",
        "delete_per_1000",
        "gib_month");
    return new StorePrices(
        node.text("name"),
        kind(node),
        node.text("region"),
        node.price("put_per_1000"),
        node.price("list_per_1000"),
        node.price("get_per_1000"),
        node.price("delete_per_1000"),
        node.price("gib_month"));
  }

  private static StoreKind kind(PriceNode node) {
    StoreKind kind = StoreKind.of(node.text("kind"));
    if (kind == StoreKind.OTHER) {
      throw new IllegalArgumentException(
          node.at("kind") + ": expected s3, gs, az, hdfs or file, not '" + node.text("kind") + "'");
    }
    return kind;
  }

  /** Returns the first store of a kind. */
  Optional<StorePrices> first(StoreKind kind) {
    return stores.stream().filter(store -> store.kind() == kind).findFirst();
  }
}
