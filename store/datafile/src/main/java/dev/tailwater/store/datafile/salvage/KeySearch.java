package dev.tailwater.store.datafile.salvage;

import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.damage.AffectedKey;
import dev.tailwater.store.damage.AffectedKey.Certainty;
import dev.tailwater.store.damage.AffectedKey.Effect;
import dev.tailwater.store.damage.Damage;
import dev.tailwater.store.damage.DamageListener;
import dev.tailwater.store.damage.KeyCounter;
import dev.tailwater.store.damage.StoreCheck;
import dev.tailwater.store.datafile.format.RecordBytes;
import dev.tailwater.store.datafile.format.RecordHeader;
import dev.tailwater.store.datafile.format.SalvageScanner;
import dev.tailwater.store.datafile.index.KeyHash;
import dev.tailwater.store.datafile.index.Location;
import dev.tailwater.store.datafile.index.SipHash;
import dev.tailwater.store.files.StoreDirectory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The search for affected keys, and how certain that is. Compares the whole records with what hints
 * and the index checkpoint say, and with headers of damaged records. Keys are identified by their
 * hash, as in the index.
 */
final class KeySearch {
  private final StoreDirectory directory;
  private final Survey survey;
  private final DamageListener listener;
  private final KeyCounter counter;
  private final KeyHash hash;
  private final long nowMillis;

  /** Records that are damaged after their headers, by the hash of what seems to be their key. */
  private final Map<Long, BrokenRecord> broken = new HashMap<>();

  private long lastUntold = Places.NONE;
  private long unnamed;
  private long doneBytes;

  private KeySearch(
      StoreDirectory directory, Survey survey, DamageListener listener, long nowMillis) {
    this.directory = directory;
    this.survey = survey;
    this.listener = listener;
    this.counter = new KeyCounter(listener);
    this.hash = new SipHash(survey.identity().hashKey0(), survey.identity().hashKey1());
    this.nowMillis = nowMillis;
  }

  @SuppressWarnings("ArrayRecordComponent") // carried, never compared
  private record BrokenRecord(byte[] key, long place, boolean told) {}

  static StoreCheck.Keys run(
      StoreDirectory directory, Survey survey, DamageListener listener, long nowMillis)
      throws IOException {
    KeySearch search = new KeySearch(directory, survey, listener, nowMillis);
    try (Evidence evidence = Evidence.read(directory, survey);
        Places whole = new Places()) {
      return search.run(evidence, whole);
    }
  }

  private StoreCheck.Keys run(Evidence evidence, Places whole) throws IOException {
    findUntold(evidence);
    read(
        new Reader() {
          @Override
          public void whole(
              SurveyedFile file,
              long hashed,
              byte[] key,
              RecordHeader header,
              long expiresAtMillis,
              long place) {
            whole.saw(hashed, place);
          }

          @Override
          public void broken(SurveyedFile file, byte[] key, long place) {
            int damage = file.damageAt(Location.offsetBytes(place));
            if (damage >= 0) {
              boolean told = evidence.tellsAll(file, file.damages().get(damage));
              broken.put(hash.hash(key), new BrokenRecord(key, place, told));
            }
          }
        });
    read(
        new Reader() {
          @Override
          public void whole(
              SurveyedFile file,
              long hashed,
              byte[] key,
              RecordHeader header,
              long expiresAtMillis,
              long place)
              throws IOException {
            if (whole.find(hashed) == place) {
              boolean expired = expiresAtMillis != 0 && expiresAtMillis <= nowMillis;
              newest(evidence, hashed, key, place, expired);
            }
          }

          @Override
          public void broken(SurveyedFile file, byte[] key, long place) {}
        });
    reportWithoutWholeRecord(evidence, whole);
    return counter.counted(unnamed);
  }

  /** Finds damages for which there is no evidence of the keys. */
  private void findUntold(Evidence evidence) {
    for (SurveyedFile file : survey.files()) {
      for (Damage damage : file.damages()) {
        if (damage.recordsAtMost() > 0 && !evidence.tellsAll(file, damage)) {
          lastUntold = placeOf(file, damage);
          unnamed += Math.min(damage.recordsAtMost(), Location.OFFSET_LIMIT);
        }
      }
    }
  }

  private static long placeOf(SurveyedFile file, Damage damage) {
    long offset = Math.min(damage.offsetBytes(), Location.OFFSET_LIMIT - 1);
    return Places.of(file.number(), offset, false);
  }

  /** The newest whole record of a key. */
  private void newest(Evidence evidence, long hashed, byte[] key, long place, boolean expired)
      throws IOException {
    boolean removed = Places.isRemoval(place);
    long gone = evidence.damaged().find(hashed);
    if (gone != Places.NONE && Places.isBehind(gone, place)) {
      evidence.damaged().forget(hashed);
      report(Optional.of(key), hashed, removed, gone, Certainty.CERTAIN);
      return;
    }
    if (!removed && !expired && evidence.wasRemovedBehind(hashed, place)) {
      Damage damage = damageBehind(place);
      if (damage != null) {
        report(key, Effect.RETURNED, Certainty.CERTAIN, damage);
        return;
      }
    }
    BrokenRecord likely = broken.get(hashed);
    if (likely != null && !likely.told() && Places.isBehind(likely.place(), place)) {
      broken.remove(hashed);
      unnamed = Math.max(0, unnamed - 1);
      report(Optional.of(key), hashed, removed, likely.place(), Certainty.LIKELY);
    } else if (lastUntold != Places.NONE && !removed && Places.isBehind(lastUntold, place)) {
      report(key, Effect.OLDER, Certainty.POSSIBLE, damageAt(lastUntold));
    }
  }

  /** Reports the remaining keys, which have no whole record, or only later ones. */
  private void reportWithoutWholeRecord(Evidence evidence, Places whole) throws IOException {
    Places damaged = evidence.damaged();
    List<Long> named = new ArrayList<>();
    damaged.<IOException>forEach(
        (hashed, place) -> {
          if (whole.find(hashed) == Places.NONE && !Places.isRemoval(place)) {
            BrokenRecord record = broken.get(hashed);
            Optional<byte[]> key = Optional.ofNullable(record).map(BrokenRecord::key);
            report(key, hashed, true, place, Certainty.CERTAIN);
            named.add(hashed);
          }
        });
    named.forEach(broken::remove);
    for (Map.Entry<Long, BrokenRecord> entry : broken.entrySet()) {
      BrokenRecord record = entry.getValue();
      if (!record.told() && whole.find(entry.getKey()) == Places.NONE) {
        unnamed = Math.max(0, unnamed - 1);
        report(Optional.of(record.key()), entry.getKey(), true, record.place(), Certainty.LIKELY);
      }
    }
  }

  private void report(
      Optional<byte[]> key, long hashed, boolean noneNow, long gone, Certainty certainty)
      throws IOException {
    if (noneNow && Places.isRemoval(gone)) {
      return; // it was not there before either
    }
    Effect effect = noneNow ? Effect.LOST : Places.isRemoval(gone) ? Effect.RETURNED : Effect.OLDER;
    long shownHash = key.isPresent() ? 0 : hashed;
    counter.key(new AffectedKey(key, shownHash, effect, certainty, damageAt(gone)));
  }

  private void report(byte[] key, Effect effect, Certainty certainty, Damage damage)
      throws IOException {
    counter.key(new AffectedKey(Optional.of(key), 0, effect, certainty, damage));
  }

  private Damage damageAt(long place) {
    SurveyedFile file = survey.files().get(Location.file(place) - 1);
    int damage = file.damageAt(Location.offsetBytes(place));
    return file.damages().get(damage < 0 ? file.damages().size() - 1 : damage);
  }

  private @Nullable Damage damageBehind(long place) {
    for (SurveyedFile file : survey.files()) {
      for (Damage damage : file.damages()) {
        boolean holdsRecords = damage.recordsAtMost() > 0;
        if (holdsRecords && Places.isBehind(placeOf(file, damage), place)) {
          return damage;
        }
      }
    }
    return null;
  }

  /** Takes the records of all files, in order. */
  private interface Reader {
    void whole(
        SurveyedFile file,
        long hashed,
        byte[] key,
        RecordHeader header,
        long expiresAtMillis,
        long place)
        throws IOException;

    void broken(SurveyedFile file, byte[] key, long place);
  }

  private void read(Reader reader) throws IOException {
    doneBytes = 0;
    long sequence = 0;
    for (SurveyedFile file : survey.files()) {
      if (!file.missing() && file.salt().isPresent()) {
        read(file, sequence, reader);
      }
      sequence = file.lastSequence();
      doneBytes += file.sizeBytes();
      listener.progress(doneBytes, survey.sizeBytes());
    }
  }

  private void read(SurveyedFile file, long sequence, Reader reader) throws IOException {
    PosixPath path = file.path();
    int fd = directory.openToRead(file.name().path());
    try (SalvageScanner scanner =
        SalvageScanner.over(directory.calls(), fd, path, file.salt().getAsLong())) {
      scanner.scan(
          sequence,
          file.endBytes(),
          new SalvageScanner.Visitor() {
            @Override
            public void whole(RecordHeader header, RecordBytes bytes, int from, long offset)
                throws IOException {
              if (!header.has(RecordHeader.MARK)) {
                byte[] key = bytes.key(from, header);
                long place = Places.of(file.number(), offset, header.has(RecordHeader.REMOVE));
                long expires = bytes.expiresAtMillis(from, header);
                reader.whole(file, hash.hash(key), key, header, expires, place);
              }
            }

            @Override
            public void broken(RecordHeader header, RecordBytes bytes, int from, long offset) {
              if (!header.has(RecordHeader.MARK)) {
                boolean removes = header.has(RecordHeader.REMOVE);
                reader.broken(
                    file, bytes.key(from, header), Places.of(file.number(), offset, removes));
              }
            }

            @Override
            public void gap(long fromBytes, long toBytes, String why) {}
          });
    } finally {
      directory.calls().close(fd);
    }
  }
}
