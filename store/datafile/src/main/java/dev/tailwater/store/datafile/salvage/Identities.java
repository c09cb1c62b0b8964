package dev.tailwater.store.datafile.salvage;

import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.DamagedStoreException;
import dev.tailwater.store.datafile.format.DataFileName;
import dev.tailwater.store.datafile.format.FileHeader;
import dev.tailwater.store.datafile.format.FileHeader.FileType;
import dev.tailwater.store.datafile.format.FileHeader.StoreIdentity;
import dev.tailwater.store.datafile.format.Hint;
import dev.tailwater.store.datafile.format.HintSummary;
import dev.tailwater.store.datafile.format.IndexCheckpoint;
import dev.tailwater.store.datafile.format.IndexCheckpoint.CoveredFile;
import dev.tailwater.store.datafile.index.Index;
import dev.tailwater.store.datafile.index.TagIndex;
import dev.tailwater.store.files.StoreDirectory;
import dev.tailwater.store.files.Transfers;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The identities of a store and its files, from headers that may be damaged: the store's identity,
 * and the salts of the files, which hints and the index checkpoint have too.
 */
final class Identities {
  private final StoreDirectory directory;
  private final Map<DataFileName, FileHeader> headers = new HashMap<>();
  private final Map<DataFileName, String> problems = new HashMap<>();
  private final Map<DataFileName, Long> salts = new HashMap<>();
  private final Map<DataFileName, HintSummary> hints = new HashMap<>();
  private final List<DataFileName> hinted = new ArrayList<>();
  private final Map<StoreIdentity, Integer> votes = new HashMap<>();
  private List<CoveredFile> covered = List.of();
  private long coveredLastSequence;
  private StoreIdentity identity = new StoreIdentity(0, 0, 0);

  private Identities(StoreDirectory directory) {
    this.directory = directory;
  }

  static Identities read(StoreDirectory directory, FileListing listing) throws IOException {
    Identities identities = new Identities(directory);
    for (DataFileName name : listing.files()) {
      identities.readData(name);
    }
    if (identities.headers.isEmpty()) {
      identities.askDerivedFiles(listing);
    }
    identities.decide();
    identities.readIndex();
    for (DataFileName name : listing.hints()) {
      if (Hint.storeOf(directory, name).filter(identities.identity::equals).isPresent()) {
        identities.hinted.add(name);
      }
      Hint.readAlone(directory, name, identities.identity, (hash, flags, unplaced) -> {})
          .ifPresent(hint -> identities.knows(name, hint));
    }
    return identities;
  }

  private void knows(DataFileName name, HintSummary hint) {
    hints.put(name, hint);
    salts.putIfAbsent(name, hint.dataSalt());
  }

  private void readData(DataFileName name) throws IOException {
    try {
      FileHeader header = parse(name.path(), FileType.DATA, name);
      headers.put(name, header);
      votes.merge(header.store(), 1, Integer::sum);
    } catch (DamagedStoreException damaged) {
      problems.put(name, damaged.why());
    }
  }

  private FileHeader parse(PosixPath file, FileType type, DataFileName name) throws IOException {
    int fd = directory.openToRead(file);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(FileHeader.LENGTH_BYTES);
      PosixPath path = directory.pathOf(file);
      if (Transfers.readFully(directory.calls(), fd, bytes, 0) < FileHeader.LENGTH_BYTES) {
        throw new DamagedStoreException(path, 0, "the file is shorter than its header");
      }
      return FileHeader.parse(bytes.toArray(ValueLayout.JAVA_BYTE), type, name, path);
    } finally {
      directory.calls().close(fd);
    }
  }

  /** Takes the store's identity from hints or the checkpoint, when no data file has it any more. */
  private void askDerivedFiles(FileListing listing) throws IOException {
    if (listing.index()) {
      vote(IndexCheckpoint.NAME, FileType.INDEX, IndexCheckpoint.PLACES);
    }
    for (DataFileName hint : listing.hints()) {
      vote(hint.hintPath(), FileType.HINT, hint);
    }
  }

  private void vote(PosixPath file, FileType type, DataFileName name) throws IOException {
    try {
      votes.merge(parse(file, type, name).store(), 1, Integer::sum);
    } catch (DamagedStoreException ofNoUse) {
      problems.put(name, ofNoUse.why());
    }
  }

  private void decide() {
    SecureRandom random = new SecureRandom();
    identity =
        votes.entrySet().stream()
            .max(Comparator.comparingInt(Map.Entry::getValue))
            .map(Map.Entry::getKey)
            .orElseGet(
                () -> new StoreIdentity(random.nextLong(), random.nextLong(), random.nextLong()));
    headers.forEach(
        (name, header) -> {
          salts.put(name, header.salt());
          if (!header.store().equals(identity)) {
            problems.put(name, "the file belongs to another store");
          }
        });
  }

  private void readIndex() throws IOException {
    FileHeader any = new FileHeader(FileType.DATA, new DataFileName(1, 1, 0), identity, 0);
    try (Index unused = new Index();
        TagIndex noLabels = new TagIndex()) {
      IndexCheckpoint.read(
          directory,
          any,
          coverage -> {
            if (fits(coverage)) {
              covered = coverage.files();
              coveredLastSequence = coverage.lastSequence();
            }
            return false;
          },
          unused,
          noLabels);
    }
    for (CoveredFile file : covered) {
      salts.putIfAbsent(file.name(), file.salt());
    }
  }

  /** Returns whether it covers the files that are there: none was replaced since. */
  private boolean fits(IndexCheckpoint.Coverage coverage) {
    for (CoveredFile file : coverage.files()) {
      FileHeader header = headers.get(file.name());
      boolean another =
          headers.keySet().stream().anyMatch(name -> name.replaces(file.name()))
              || (header != null && header.salt() != file.salt());
      if (another) {
        return false;
      }
    }
    return true;
  }

  StoreIdentity identity() {
    return identity;
  }

  /** Returns the files that the index checkpoint covers; empty when there is no usable one. */
  List<CoveredFile> covered() {
    return covered;
  }

  /** Number of the last record that the index checkpoint covers; 0 when there is none of use. */
  long coveredLastSequence() {
    return coveredLastSequence;
  }

  /** Number of the last record that a hint tells of; 0 when there is none of use. */
  long hintedLastSequence() {
    return hints.values().stream().mapToLong(HintSummary::lastSequence).max().orElse(0);
  }

  /** The last place of all data files that there is a hint of; 0 when there is none. */
  long lastHintedPlace() {
    return hinted.stream().mapToLong(DataFileName::last).max().orElse(0);
  }

  /**
   * Returns a length of the file that was durable once, as the checkpoint or its hint says; else 0.
   */
  long knownBytes(DataFileName name) {
    long byIndex =
        covered.stream()
            .filter(file -> file.name().equals(name))
            .mapToLong(CoveredFile::coveredBytes)
            .findFirst()
            .orElse(0);
    HintSummary hint = hints.get(name);
    Long salt = salts.get(name);
    return hint != null && salt != null && salt == hint.dataSalt()
        ? Math.max(byIndex, hint.dataBytes())
        : byIndex;
  }

  /** Returns what is wrong with this data file's header. */
  Optional<String> problemOf(DataFileName name) {
    return Optional.ofNullable(problems.get(name));
  }

  OptionalLong saltOf(DataFileName name) {
    Long salt = problemIsIdentity(name) ? null : salts.get(name);
    return salt == null ? OptionalLong.empty() : OptionalLong.of(salt);
  }

  /** The records of another store's file are none of this one's. */
  private boolean problemIsIdentity(DataFileName name) {
    FileHeader header = headers.get(name);
    return header != null && !header.store().equals(identity);
  }
}
