package dev.tailwater.cli.estimate;

import dev.tailwater.cli.report.Table;
import dev.tailwater.cli.value.ByteSizes;
import dev.tailwater.cli.value.Printable;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The estimate for people. */
public final class EstimateText {
  private static final int COLUMNS = 100;
  private static final String INDENT = "  ";

  /** A saving below this part of the price, or below this price, is not worth a change. */
  private static final double CONSIDERABLE_PART = 0.1;

  private static final double CONSIDERABLE_PRICE = 1;
  private static final double LEAST_PRICE = 0.005;
  private static final double MOST_WITH_FRACTION = 100;
  private static final double MOST_EXACT = 100_000;
  private static final String[] UNITS = {"k", "M", "G", "T", "P", "E"};

  private final EstimatePlan plan;
  private final PrintStream out;

  public EstimateText(EstimatePlan plan, PrintStream out) {
    this.plan = plan;
    this.out = out;
  }

  /** Prints it. */
  public void print() {
    List<EstimatedStore> stores = plan.stores();
    out.println(workload());
    out.println();
    Table table =
        new Table(
            "STORE",
            ">PUT/HOUR",
            ">PUT",
            ">DELETE",
            ">OBJECTS",
            ">STORED",
            ">REQUESTS",
            ">STORAGE",
            ">TOTAL");
    stores.forEach(store -> row(table, store));
    table.print(out);
    out.println();
    wrap(
        "From PUT on, a month of %d days; from REQUESTS on, %s.%s"
            .formatted(Estimate.DAYS_PER_MONTH, plan.prices().currency(), configured(stores)),
        "");
    otherPacks(stores);
    firstPriced(stores).ifPresent(this::restore);
    out.println();
    out.println("Assumptions:");
    plan.assumptions().forEach(assumption -> wrap("- " + assumption, INDENT));
  }

  private String workload() {
    Workload workload = plan.workload();
    String all = rate(workload.bytesPerSecond()) + "/s";
    long files = workload.files();
    return files == 1
        ? "1 file grows by " + all
        : "%s files grow, by %s in all".formatted(count((double) files), all);
  }

  /** Writes few bytes with the digits behind the point that they have. */
  static String rate(double bytes) {
    if (bytes >= MOST_WITH_FRACTION || bytes == Math.rint(bytes)) {
      return ByteSizes.forPeople(Math.round(bytes));
    }
    String digits = String.format(Locale.ROOT, bytes < 10 ? "%.6f" : "%.1f", bytes);
    return digits.replaceFirst("\\.?0+$", "") + " B";
  }

  private static void row(Table table, EstimatedStore store) {
    Estimate estimate = store.estimate();
    Optional<StorePrices> prices = store.prices();
    table.row(
        Printable.line(store.name()) + (store.configured().isPresent() ? " *" : ""),
        count(estimate.putsPerHour()),
        count(estimate.putsPerMonth()),
        count(estimate.deletesPerMonth()),
        count(estimate.objectsPerMonth()),
        ByteSizes.forPeople(Math.round(estimate.storedBytesPerMonth())),
        prices.map(own -> price(own.requests(estimate))).orElse("-"),
        prices.map(own -> price(own.storage(estimate))).orElse("-"),
        prices.map(own -> price(own.total(estimate))).orElse("-"));
  }

  private static String configured(List<EstimatedStore> stores) {
    List<String> names = stores.stream().flatMap(store -> store.configured().stream()).toList();
    return " *: configured, " + String.join(" and ", names);
  }

  private static Optional<EstimatedStore> firstPriced(List<EstimatedStore> stores) {
    return stores.stream().filter(store -> store.prices().isPresent()).findFirst();
  }

  private void otherPacks(List<EstimatedStore> stores) {
    EstimatedStore store = firstPriced(stores).orElse(stores.getFirst());
    if (store.otherPacks().isEmpty()) {
      wrap("packs: on is not possible: " + plan.packsRefusal().orElseThrow() + ".", INDENT);
      return;
    }
    Estimate changed = store.otherPacks().orElseThrow();
    String money =
        store
            .prices()
            .map(prices -> comparison(prices.total(changed), prices.total(store.estimate())))
            .orElse("");
    wrap(
        "With %s at %s: %s PUT/hour%s."
            .formatted(
                store.usesPacks() ? "packs: off" : "packs: on",
                store.name(),
                count(changed.putsPerHour()),
                money),
        INDENT);
  }

  private String comparison(double changed, double present) {
    String currency = plan.prices().currency();
    double saved = present - changed;
    String price = ", %s %s a month".formatted(currency, price(changed));
    if (Math.abs(saved) < CONSIDERABLE_PRICE
        || Math.abs(saved) < CONSIDERABLE_PART * Math.max(present, changed)) {
      return price + ", about the same";
    }
    return saved > 0
        ? String.format(
            Locale.ROOT,
            "%s, which saves %s %s (%.0f %%)",
            price,
            currency,
            price(saved),
            100 * saved / present)
        : "%s, %s %s more".formatted(price, currency, price(-saved));
  }

  private void restore(EstimatedStore store) {
    double objects = store.estimate().objectsPerMonth();
    wrap(
        "To restore what a month adds takes %s LIST and %s GET requests, %s %s at %s."
            .formatted(
                count(StorePrices.lists(objects)),
                count(objects),
                plan.prices().currency(),
                price(store.prices().orElseThrow().restore(store.estimate())),
                store.name()),
        INDENT);
  }

  private void wrap(String text, String indent) {
    StringBuilder line = new StringBuilder();
    for (String word : Printable.line(text).split(" ", -1)) {
      if (line.length() > indent.length() && line.length() + 1 + word.length() > COLUMNS) {
        out.println(line);
        line.setLength(0);
        line.append(indent);
      } else if (!line.isEmpty()) {
        line.append(' ');
      }
      line.append(word);
    }
    out.println(line);
  }

  /** Writes a number with three digits or more: {@code 0.4}, {@code 72 000}, {@code 51.8M}. */
  static String count(double number) {
    if (number < MOST_EXACT) {
      boolean whole = number >= 10 || number == Math.rint(number);
      return String.format(Locale.ROOT, whole ? "%,.0f" : "%.1f", number).replace(',', ' ');
    }
    double value = number / 1000;
    int unit = 0;
    while (value >= 999.5 && unit < UNITS.length - 1) {
      value /= 1000;
      unit++;
    }
    return String.format(Locale.ROOT, value < 99.95 ? "%.1f%s" : "%.0f%s", value, UNITS[unit]);
  }

  /** Writes an amount of money. */
  static String price(double amount) {
    if (amount > 0 && amount < LEAST_PRICE) {
      return "<0.01";
    }
    return amount < MOST_EXACT ? String.format(Locale.ROOT, "%.2f", amount) : count(amount);
  }
}
