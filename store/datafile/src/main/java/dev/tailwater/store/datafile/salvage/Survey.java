package dev.tailwater.store.datafile.salvage;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.DamagedStoreException;
import dev.tailwater.store.damage.Damage;
import dev.tailwater.store.damage.DamageListener;
import dev.tailwater.store.datafile.format.DataFileName;
import dev.tailwater.store.datafile.format.FileHeader;
import dev.tailwater.store.datafile.format.FileHeader.StoreIdentity;
import dev.tailwater.store.datafile.format.IndexCheckpoint.CoveredFile;
import dev.tailwater.store.datafile.format.RecordHeader;
import dev.tailwater.store.datafile.format.SalvageScanner;
import dev.tailwater.store.datafile.index.Location;
import dev.tailwater.store.files.StoreDirectory;
import dev.tailwater.store.files.TrailingZeros;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The survey of all data files of a store: what is damaged, and what is missing. */
final class Survey {
  private final StoreDirectory directory;
  private final DamageListener listener;
  private final FileListing listing;
  private final Identities identities;
  private final List<SurveyedFile> files = new ArrayList<>();
  private long doneBytes;
  private long allBytes;
  private long sequence;

  private Survey(StoreDirectory directory, DamageListener listener) throws IOException {
    this.directory = directory;
    this.listener = listener;
    this.listing = FileListing.of(directory);
    this.identities = Identities.read(directory, listing);
  }

  static Survey of(StoreDirectory directory, DamageListener listener) throws IOException {
    Survey survey = new Survey(directory, listener);
    survey.run();
    return survey;
  }

  FileListing listing() {
    return listing;
  }

  /** Returns the store's identity; an invented one when nothing of it is left. */
  StoreIdentity identity() {
    return identities.identity();
  }

  /** Returns the files that the index checkpoint covers; none when there is no usable one. */
  List<CoveredFile> covered() {
    return identities.covered();
  }

  /** Returns the files in order, including missing ones. */
  List<SurveyedFile> files() {
    return files;
  }

  boolean isWhole() {
    return files.stream().noneMatch(SurveyedFile::isDamaged);
  }

  long sizeBytes() {
    return allBytes;
  }

  /** Returns a number that no record ever exceeded. */
  long highestSequence() {
    SurveyedFile last = files.getLast();
    long known = Math.max(identities.coveredLastSequence(), identities.hintedLastSequence());
    long most = Math.max(last.lastSequence(), known);
    if (last.isDamaged()) {
      Damage damage = last.damages().getLast();
      boolean atEnd =
          damage.lengthBytes() == 0
              || damage.offsetBytes() + damage.lengthBytes() >= last.endBytes();
      long room = Math.min(damage.recordsAtMost(), Location.OFFSET_LIMIT);
      most = Math.max(most, last.lastSequence() + (atEnd ? room : 0));
    }
    return most;
  }

  private void run() throws IOException {
    for (DataFileName name : listing.files()) {
      allBytes += sizeOf(name);
    }
    long expected = 1;
    for (DataFileName name : listing.files()) {
      if (name.first() < expected) {
        throw new DamagedStoreException(
            directory.pathOf(name.path()), 0, "two files have this place");
      }
      addMissing(expected, name.first() - 1);
      look(name, name.equals(listing.files().getLast()) && name.last() >= lastKnownPlace());
      expected = name.last() + 1;
    }
    addMissing(expected, lastKnownPlace());
    knowNumbersBehindEnds();
  }

  private long sizeOf(DataFileName name) throws ErrnoException {
    int fd = directory.openToRead(name.path());
    try {
      return directory.calls().fstat(fd).sizeBytes();
    } finally {
      directory.calls().close(fd);
    }
  }

  /** The index checkpoint and hints may tell of files behind those that are there. */
  private long lastKnownPlace() {
    long covered = covered().isEmpty() ? 0 : covered().getLast().name().last();
    return Math.max(covered, identities.lastHintedPlace());
  }

  /** As hints and the index name them, else as one that has all these places. */
  private void addMissing(long first, long last) {
    long at = first;
    while (at <= last) {
      DataFileName name = new DataFileName(at, last, 0);
      List<DataFileName> known = new ArrayList<>(listing.hints());
      covered().forEach(file -> known.add(file.name()));
      for (DataFileName other : known) {
        if (other.first() == at && other.last() <= last) {
          name = other;
        } else if (other.first() > at && other.first() <= name.last()) {
          name = new DataFileName(at, other.first() - 1, 0);
        }
      }
      PosixPath path = directory.pathOf(name.path());
      Damage damage = new Damage(path, 0, 0, "the file is missing", Location.OFFSET_LIMIT);
      files.add(
          new SurveyedFile(
              name,
              path,
              files.size() + 1,
              true,
              identities.saltOf(name),
              0,
              0,
              0,
              0,
              -1,
              sequence,
              List.of(damage)));
      at = name.last() + 1;
    }
  }

  private void look(DataFileName name, boolean isLast) throws IOException {
    PosixPath path = directory.pathOf(name.path());
    int fd = directory.openToRead(name.path());
    try {
      List<Damage> damages = new ArrayList<>();
      identities
          .problemOf(name)
          .ifPresent(why -> damages.add(new Damage(path, 0, FileHeader.LENGTH_BYTES, why, 0)));
      OptionalLong salt = identities.saltOf(name);
      if (salt.isEmpty()) {
        salt = SaltFinder.find(directory.calls(), fd);
      }
      long sizeBytes = directory.calls().fstat(fd).sizeBytes();
      if (salt.isEmpty()) {
        damages.clear();
        String why = identities.problemOf(name).orElse("no header");
        damages.add(new Damage(path, 0, sizeBytes, why, sizeBytes / RecordHeader.LENGTH_BYTES));
        files.add(file(name, path, salt, sizeBytes, sizeBytes, 0, 0, -1, damages));
      } else {
        survey(name, path, fd, salt, isLast, damages);
      }
      doneBytes += sizeBytes;
      listener.progress(doneBytes, allBytes);
    } finally {
      directory.calls().close(fd);
    }
  }

  private SurveyedFile file(
      DataFileName name,
      PosixPath path,
      OptionalLong salt,
      long sizeBytes,
      long endBytes,
      long tornBytes,
      long records,
      long firstSequence,
      List<Damage> damages) {
    return new SurveyedFile(
        name,
        path,
        files.size() + 1,
        false,
        salt,
        sizeBytes,
        endBytes,
        tornBytes,
        records,
        firstSequence,
        sequence,
        damages);
  }

  private void survey(
      DataFileName name,
      PosixPath path,
      int fd,
      OptionalLong salt,
      boolean isLast,
      List<Damage> damages)
      throws IOException {
    FileSurvey found =
        new FileSurvey(sequence, bytes -> listener.progress(doneBytes + bytes, allBytes));
    long sizeBytes;
    try (SalvageScanner scanner =
        SalvageScanner.over(directory.calls(), fd, path, salt.getAsLong())) {
      sizeBytes = scanner.sizeBytes();
      scanner.scan(sequence, sizeBytes, found);
    }
    long knownBytes = identities.knownBytes(name);
    long durableBytes = Math.max(found.durableBytes(), knownBytes);
    long endBytes = sizeBytes;
    long records = found.records();
    for (Gap gap : found.gaps()) {
      if (isLast && gap.batchBytes() >= durableBytes) {
        endBytes = gap.batchBytes();
        records = gap.recordsBefore();
        break;
      }
      damages.add(
          new Damage(
              path,
              gap.fromBytes(),
              gap.toBytes() - gap.fromBytes(),
              gap.why(),
              gap.recordsAtMost()));
    }
    sequence = Math.max(sequence, found.lastSequence());
    if (endBytes == sizeBytes && isLast && found.openBatchBytes() >= durableBytes) {
      endBytes = found.openBatchBytes();
    } else if (endBytes == sizeBytes) {
      endOf(path, sizeBytes, knownBytes, isLast, found).ifPresent(damages::add);
    }
    long tornBytes = TrailingZeros.begin(directory.calls(), fd, endBytes, sizeBytes) - endBytes;
    files.add(
        file(
            name,
            path,
            salt,
            sizeBytes,
            endBytes,
            tornBytes,
            records,
            found.firstSequence(),
            damages));
  }

  /** What is missing behind the end of a file that is not torn. */
  private static Optional<Damage> endOf(
      PosixPath path, long sizeBytes, long knownBytes, boolean isLast, FileSurvey found) {
    boolean endsInGap = !found.gaps().isEmpty() && found.gaps().getLast().toBytes() == sizeBytes;
    String why;
    long most = Location.OFFSET_LIMIT;
    if (knownBytes > sizeBytes) {
      why = "the file had " + knownBytes + " bytes";
      most = (knownBytes - sizeBytes) / RecordHeader.LENGTH_BYTES + 1;
    } else if (knownBytes == sizeBytes && endsInGap) {
      return Optional.empty();
    } else if (found.openBatchBytes() >= 0) {
      why = "the file ends within a batch";
    } else if (!isLast && !found.sealed()) {
      why = "the file ends without a seal";
    } else {
      return Optional.empty();
    }
    return Optional.of(new Damage(path, sizeBytes, 0, why, most));
  }

  /** What is missing at the end of a file cannot be more than the numbers leave room for. */
  private void knowNumbersBehindEnds() {
    long next = identities.coveredLastSequence() + 1; // 1 when it is not known
    for (int i = files.size() - 1; i >= 0; i--) {
      SurveyedFile file = files.get(i);
      if (file.isDamaged() && next > file.lastSequence()) {
        List<Damage> damages = new ArrayList<>(file.damages());
        Damage last = damages.removeLast();
        boolean atEnd =
            last.lengthBytes() == 0 || last.offsetBytes() + last.lengthBytes() == file.sizeBytes();
        long room = next - file.lastSequence() - 1;
        long most = atEnd ? Math.min(last.recordsAtMost(), room) : last.recordsAtMost();
        damages.add(
            new Damage(last.file(), last.offsetBytes(), last.lengthBytes(), last.why(), most));
        files.set(i, file.withDamages(damages));
      }
      next = file.firstSequence() > 0 ? file.firstSequence() : next;
    }
  }
}
