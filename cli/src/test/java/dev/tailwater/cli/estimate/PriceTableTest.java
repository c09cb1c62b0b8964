package dev.tailwater.cli.estimate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tables of prices: the one of the program, and those of users. */
class PriceTableTest {
  private static final String TABLE =
      """
      date: 2026-01-31
      currency: EUR
      stores:
        - name: Ours
          kind: s3
          region: cellar
          put_per_1000: 0.01
          list_per_1000: 0.02
          get_per_1000: 0.001
          delete_per_1000: 0.003
          gib_month: 1
      """;

  @Test
  void theProgramHasDatedPricesOfTheCommonStores() {
    PriceTable table = PriceTable.shipped();
    assertTrue(table.date().matches("20\\d\\d-\\d\\d-\\d\\d"), table.date());
    assertEquals(
        List.of("S3 Standard", "GCS Standard", "Azure Blob Hot LRS"),
        table.stores().stream().map(StorePrices::name).toList());
    assertEquals("us-east-1", table.first(StoreKind.S3).orElseThrow().region());
  }

  @Test
  void aTableOfAUserIsRead() {
    PriceTable table = PriceTable.parse(TABLE);
    assertEquals("EUR", table.currency());
    assertEquals(
        List.of(new StorePrices("Ours", StoreKind.S3, "cellar", 0.01, 0.02, 0.001, 0.003, 1)),
        table.stores());
  }

  @Test
  void everyRequestHasItsPrice() {
    StorePrices prices = PriceTable.parse(TABLE).stores().getFirst();
    double month = Estimate.SECONDS_PER_MONTH;
    Estimate estimate =
        new Estimate(3000 / month, 1000 / month, 2000 / month, 999 / month, 2, (1 << 30) / month);
    assertEquals(4 * 0.01 + 2 * 0.003, prices.requests(estimate), 1e-9);
    assertEquals(1, prices.storage(estimate), 1e-9);
    assertEquals(1.046, prices.total(estimate), 1e-9);
    // 1001 objects: two lists.
    assertEquals(2 * 0.00002 + 1001 * 0.000001, prices.restore(estimate), 1e-9);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "date: 2026-01-31          | datum: 2026        | datum: unknown key; did you mean",
        "date: 2026-01-31          | date:              | date: expected a text",
        "date: 2026-01-31          | date: yesterday    | date: expected a date such as",
        "date: 2026-01-31          | date: 2026-02-30   | date: expected a date such as",
        "put_per_1000: 0.01        | put_per_1000: x    | stores[0].put_per_1000: expected a price",
        "put_per_1000: 0.01        | put_per_1000: -1   | stores[0].put_per_1000: expected a price",
        "put_per_1000: 0.01        | put_per_1000: .inf | stores[0].put_per_1000: expected a price",
        "gib_month: 1              | gib_mont: 1        | stores[0].gib_mont: unknown key; did you",
        "kind: s3                  | kind: s33          | stores[0].kind: expected s3, gs, az",
        "kind: s3                  | kind: [s3]         | stores[0].kind: expected a text",
        "currency: EUR             | currency: 'EUR     | not YAML: "
      })
  void whatIsWrongInATableIsNamed(String present, String wrong, String message) {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> PriceTable.parse(TABLE.replace(present, wrong)));
    assertTrue(String.valueOf(e.getMessage()).startsWith(message), e.getMessage());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                                      | expected keys and values",
        "text                                    | expected keys and values",
        "{date: d, currency: c}                  | stores: expected a list of stores",
        "{date: d, currency: c, stores: []}      | stores: expected a list of stores",
        "{date: d, currency: c, stores: [x]}     | stores[0]: expected keys and values"
      })
  void whatIsNoTableIsRefused(String yaml, String message) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> PriceTable.parse(yaml));
    assertTrue(String.valueOf(e.getMessage()).startsWith(message), e.getMessage());
  }

  @Test
  void whatIsNestedTooDeeplyIsNoTableAndNoOverflow() {
    String yaml = "stores: " + "[".repeat(5_000);
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> PriceTable.parse(yaml));
    assertTrue(
        String.valueOf(e.getMessage()).contains("nested more than 100 deep"), e.getMessage());
  }
}
