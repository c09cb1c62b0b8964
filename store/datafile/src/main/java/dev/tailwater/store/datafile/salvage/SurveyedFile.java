package dev.tailwater.store.datafile.salvage;

import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.damage.Damage;
import dev.tailwater.store.datafile.format.DataFileName;
import dev.tailwater.store.datafile.format.FileHeader;
import java.util.List;
import java.util.OptionalLong;

/**
 * A data file that was surveyed.
 *
 * @param number its place in the order of files, from 1
 * @param salt empty when it is unknown, so that no record can be verified, or the file is missing
 * @param sizeBytes 0 when it is missing
 * @param endBytes end of the records; behind it are a torn tail, and zeros that the file was filled
 *     with
 * @param tornBytes length of the torn tail
 * @param records whole records before the torn tail
 * @param firstSequence number of the first whole record; -1 when there is none
 * @param lastSequence the highest number known in it, or in the files before it
 * @param damages in order
 */
record SurveyedFile(
    DataFileName name,
    PosixPath path,
    int number,
    boolean missing,
    OptionalLong salt,
    long sizeBytes,
    long endBytes,
    long tornBytes,
    long records,
    long firstSequence,
    long lastSequence,
    List<Damage> damages) {
  SurveyedFile {
    damages = List.copyOf(damages);
  }

  SurveyedFile withDamages(List<Damage> other) {
    return new SurveyedFile(
        name,
        path,
        number,
        missing,
        salt,
        sizeBytes,
        endBytes,
        tornBytes,
        records,
        firstSequence,
        lastSequence,
        other);
  }

  boolean isDamaged() {
    return !damages.isEmpty();
  }

  /** Returns whether the record at this offset is gone. */
  boolean isGap(long offsetBytes) {
    return damageAt(offsetBytes) >= 0;
  }

  /** Returns the index of the damage at this offset; -1: none. Damage at the end has no end. */
  int damageAt(long offsetBytes) {
    for (int i = 0; i < damages.size(); i++) {
      Damage damage = damages.get(i);
      long from = damage.offsetBytes();
      boolean inside =
          damage.lengthBytes() == 0
              ? offsetBytes >= from
              : offsetBytes >= from && offsetBytes < from + damage.lengthBytes();
      if (inside && offsetBytes >= FileHeader.LENGTH_BYTES) {
        return i;
      }
    }
    return -1;
  }

  /** Where the last damage ends. */
  long lastDamageBytes() {
    Damage last = damages.getLast();
    return last.lengthBytes() == 0 ? Long.MAX_VALUE : last.offsetBytes() + last.lengthBytes();
  }
}
