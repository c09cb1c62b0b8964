package dev.tailwater.archive.pack;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tailwater.archive.FileOwner;
import dev.tailwater.archive.pack.VarintReader.MalformedException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The owners that a directory tells, each once: most files of a machine have one of a few. */
final class OwnerTable {
  /** Two ids and two names. */
  private static final int MIN_BYTES = 4;

  private final Map<FileOwner, Integer> numbers = new LinkedHashMap<>();
  private final List<FileOwner> owners = new ArrayList<>();

  /** What numbers that are read mean: 0 that no owner is told. */
  private final List<Optional<FileOwner>> read = new ArrayList<>();

  /** Adds an owner, unless it is known. */
  void add(Optional<FileOwner> told) {
    if (told.isPresent() && !numbers.containsKey(told.get())) {
      owners.add(told.get());
      numbers.put(told.get(), owners.size());
    }
  }

  void write(VarintWriter out) {
    out.unsigned(owners.size());
    for (FileOwner owner : owners) {
      out.unsigned(owner.userId());
      out.unsigned(owner.groupId());
      out.text(owner.user().getBytes(UTF_8));
      out.text(owner.group().getBytes(UTF_8));
    }
  }

  static OwnerTable read(VarintReader in) throws MalformedException {
    OwnerTable table = new OwnerTable();
    table.read.add(Optional.empty());
    for (int left = in.count(MIN_BYTES, PackDirectory.MAX_ENTRIES, "owners"); left > 0; left--) {
      table.read.add(
          Optional.of(
              new FileOwner(
                  in.atMost(FileOwner.MAX_ID, "a user id"),
                  in.atMost(FileOwner.MAX_ID, "a group id"),
                  new String(in.text(FileOwner.MAX_NAME_BYTES, "a name"), UTF_8),
                  new String(in.text(FileOwner.MAX_NAME_BYTES, "a name"), UTF_8))));
    }
    return table;
  }

  /** Writes which owner it is. */
  void writeNumber(Optional<FileOwner> told, VarintWriter out) {
    out.unsigned(told.map(numbers::get).orElse(0));
  }

  /** Reads which owner it is; empty for the number 0. */
  Optional<FileOwner> readNumber(VarintReader in) throws MalformedException {
    return read.get((int) in.atMost(read.size() - 1L, "the number of an owner"));
  }
}
