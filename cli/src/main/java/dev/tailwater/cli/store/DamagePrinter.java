package dev.tailwater.cli.store;

import dev.tailwater.cli.report.Table;
import dev.tailwater.cli.value.Count;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.store.damage.AffectedKey;
import dev.tailwater.store.damage.AffectedKey.Certainty;
import dev.tailwater.store.damage.Damage;
import dev.tailwater.store.damage.StoreCheck;
import dev.tailwater.store.damage.StoreCheck.CheckedFile;
import java.io.PrintStream;
import java.util.Locale;

/** Damage of a store, for people. */
public final class DamagePrinter {
  /** Shown in place of a number that is not known. */
  private static final long UNKNOWN = 1L << 31;

  private DamagePrinter() {}

  /** Prints a table of all files. */
  public static void files(StoreCheck check, PrintStream out) {
    Table table = new Table("FILE", "ROLE", ">BYTES", ">RECORDS", ">TORN", "STATE");
    for (CheckedFile file : check.files()) {
      String state = file.note().orElse("whole");
      if (!file.damages().isEmpty()) {
        state =
            file.damages().size() == 1
                ? "damaged"
                : "damaged in " + file.damages().size() + " places";
      }
      table.row(
          Printable.line(file.file().fileName().toString()),
          file.role().name().toLowerCase(Locale.ROOT),
          Long.toString(file.sizeBytes()),
          Long.toString(file.records()),
          Long.toString(file.tornBytes()),
          Printable.line(state));
    }
    table.print(out);
  }

  /** Returns one line for a damage. */
  public static String line(Damage damage) {
    String length = damage.lengthBytes() == 0 ? "the rest" : Count.of(damage.lengthBytes(), "byte");
    return Printable.line(
        damage.file().fileName()
            + " at byte "
            + damage.offsetBytes()
            + ", "
            + length
            + ": "
            + damage.why()
            + records(damage));
  }

  private static String records(Damage damage) {
    long most = damage.recordsAtMost();
    if (most == 0) {
      return "; no record was there";
    }
    return most >= UNKNOWN
        ? "; how many records were there is not known"
        : "; at most " + Count.of(most, "record");
  }

  /** Returns one line for a key. */
  public static String line(AffectedKey key) {
    String name = key.key().map(EntryText::brief).orElseGet(() -> "a key whose name is not known");
    String effect =
        switch (key.effect()) {
          case LOST -> "is lost";
          case OLDER -> "has the value before";
          case RETURNED -> "had been removed, and is there again";
        };
    String certainty =
        switch (key.certainty()) {
          case CERTAIN -> "";
          case LIKELY -> " (so the damaged record says)";
          case POSSIBLE -> " (possibly)";
        };
    return name + " " + effect + certainty;
  }

  /** Prints what the damage means for all keys together. */
  public static String summary(StoreCheck.Keys keys) {
    String unnamed =
        keys.unnamedAtMost() >= UNKNOWN
            ? "; an unknown number of records cannot be named"
            : keys.unnamedAtMost() == 0
                ? ""
                : "; up to " + Count.of(keys.unnamedAtMost(), "more record") + " cannot be named";
    String possible =
        keys.possible() == 0
            ? ""
            : "; " + Count.of(keys.possible(), "other") + " may have the value before";
    return Count.of(keys.lost(), "key")
        + " lost, "
        + keys.older()
        + " with the value before, "
        + keys.returned()
        + " removed ones there again"
        + possible
        + unnamed;
  }

  /** Whether a key is shown if not all are. */
  public static boolean isKnown(AffectedKey key) {
    return key.certainty() != Certainty.POSSIBLE;
  }
}
