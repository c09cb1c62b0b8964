package dev.tailwater.archive.merge;

import dev.tailwater.archive.ByteRange;
import dev.tailwater.archive.open.OpenedPack;
import dev.tailwater.archive.pack.PackDirectory;
import dev.tailwater.archive.pack.PackedRange;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;

/**
 * Finds out whether a pack was made of packs of earlier groups that were not removed. For one
 * thread.
 */
public final class JoinedCheck {
  private final PackInput joined;
  private int unit = -1;
  private byte[] unitBytes = new byte[0];

  private JoinedCheck(PackInput joined) {
    this.joined = joined;
  }

  /**
   * Returns whether the last pack says all that those before it say, and has the same bytes.
   *
   * @param inputs packs of earlier groups, all of each, and last the pack
   * @throws IOException a pack does not hold what its directory says
   */
  public static boolean holds(List<PackInput> inputs) throws IOException {
    List<PackDirectory> directories =
        inputs.stream().map(input -> input.pack().directory()).toList();
    if (!PackFold.addNothing(directories)) {
      return false;
    }
    Optional<List<PackDirectory>> united = GroupNumbers.unite(directories);
    if (united.isEmpty()) {
      return false;
    }
    JoinedCheck check = new JoinedCheck(inputs.getLast());
    for (PackDirectory earlier : united.get().subList(0, inputs.size() - 1)) {
      for (PackedRange range : earlier.ranges()) {
        if (!check.hasBytes(range)) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean hasBytes(PackedRange wanted) throws IOException {
    List<PackedRange> ranges = joined.pack().directory().ranges();
    OptionalInt index =
        IntStream.range(0, ranges.size())
            .filter(i -> ranges.get(i).number() == wanted.number())
            .filter(i -> ranges.get(i).revision() == wanted.revision())
            .filter(i -> ranges.get(i).range().contains(wanted.range()))
            .findFirst();
    return index.isPresent() && crc32c(index.getAsInt(), wanted.range()) == wanted.rawCrc32c();
  }

  /** Returns the checksum of a part of a range. */
  private int crc32c(int index, ByteRange part) throws IOException {
    OpenedPack pack = joined.pack();
    CRC32C crc = new CRC32C();
    long at = pack.directory().ranges().get(index).range().startBytes();
    for (int number = pack.firstUnit(index); number < pack.endUnit(index); number++) {
      ByteRange inUnit = pack.partOf(index, number);
      long from = Math.max(part.startBytes(), at);
      long to = Math.min(part.endBytes(), at + inUnit.lengthBytes());
      if (from < to) {
        int offset = (int) (inUnit.startBytes() + from - at);
        crc.update(unit(number), offset, (int) (to - from));
      }
      at += inUnit.lengthBytes();
    }
    return (int) crc.getValue();
  }

  private byte[] unit(int number) throws IOException {
    if (unit != number) {
      unitBytes = joined.unit(number);
      unit = number;
    }
    return unitBytes;
  }
}
