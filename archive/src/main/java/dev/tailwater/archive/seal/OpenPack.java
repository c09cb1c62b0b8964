package dev.tailwater.archive.seal;

import dev.tailwater.archive.age.AgeStanza;
import dev.tailwater.archive.name.PackId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The pack that a {@link PackSealer} fills. */
final class OpenPack {
  /** Of an array that can grow, one byte in so many is for the front at first. */
  private static final int GROWING_FRONT_ONE_IN = 16;

  final GrowingArray array;
  final DirectoryDraft directory;
  final List<AgeStanza> carried;

  /** How long the front can get. */
  final int frontBytes;

  byte[] staging;

  /** The index of the first unit. */
  int dataFrom;

  /** The index of the next unit. */
  int end;

  /** How many bytes of the block wait to become a unit. */
  int blockBytes;

  @Nullable Range range;

  /** A range in progress, and where the pack was when it began. */
  static final class Range {
    final int number;
    final long startBytes;
    final long revision;
    final int blockBytesBefore;
    final int unitsBefore;
    final int endBefore;
    long rawBytes;

    Range(int number, long startBytes, long revision, OpenPack pack) {
      this.number = number;
      this.startBytes = startBytes;
      this.revision = revision;
      this.blockBytesBefore = pack.blockBytes;
      this.unitsBefore = pack.directory.unitCount();
      this.endBefore = pack.end;
    }
  }

  OpenPack(GrowingArray array, PackId id, int frontBytes, List<AgeStanza> carried) {
    this.array = array;
    this.carried = carried;
    this.directory = new DirectoryDraft(id);
    this.frontBytes = frontBytes;
    this.staging = array.bytes();
    this.dataFrom =
        staging.length == array.mostBytes()
            ? frontBytes
            : Math.min(frontBytes, staging.length / GROWING_FRONT_ONE_IN);
    this.end = dataFrom;
  }

  /** Returns how much the pack takes with the longest front. */
  int takenBytes() {
    return frontBytes + end - dataFrom;
  }

  /** Makes sure that the array goes on for so many bytes after its end. */
  void extend(int bytes) {
    if (bytes > staging.length - end) {
      staging = array.grow(end + bytes, end);
    }
  }

  /** Moves the units up, if the front is longer than what is before them. */
  void moveUnitsBehind(int neededBytes) {
    int movedBytes = neededBytes - dataFrom;
    if (movedBytes > 0) {
      extend(movedBytes);
      System.arraycopy(staging, dataFrom, staging, neededBytes, end - dataFrom);
      dataFrom = neededBytes;
      end += movedBytes;
    }
  }
}
