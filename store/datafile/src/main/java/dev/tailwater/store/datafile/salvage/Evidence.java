package dev.tailwater.store.datafile.salvage;

import dev.tailwater.store.damage.Damage;
import dev.tailwater.store.datafile.format.DataFileName;
import dev.tailwater.store.datafile.format.FileHeader;
import dev.tailwater.store.datafile.format.FileHeader.FileType;
import dev.tailwater.store.datafile.format.Hint;
import dev.tailwater.store.datafile.format.HintSummary;
import dev.tailwater.store.datafile.format.IndexCheckpoint;
import dev.tailwater.store.datafile.format.IndexCheckpoint.CoveredFile;
import dev.tailwater.store.datafile.format.RecordHeader;
import dev.tailwater.store.datafile.index.Index;
import dev.tailwater.store.datafile.index.Location;
import dev.tailwater.store.datafile.index.TagIndex;
import dev.tailwater.store.files.StoreDirectory;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The evidence of hints and the index checkpoint about records in damaged ranges. */
final class Evidence implements AutoCloseable {
  private final StoreDirectory directory;
  private final Survey survey;
  private final Places damaged = new Places();

  /** By number of the file: what its hint says of it as a whole. */
  private final Map<Integer, HintSummary> hints = new HashMap<>();

  private @Nullable Index live;
  private final Map<Integer, Long> liveUpToBytes = new HashMap<>();

  private Evidence(StoreDirectory directory, Survey survey) {
    this.directory = directory;
    this.survey = survey;
  }

  static Evidence read(StoreDirectory directory, Survey survey) throws IOException {
    Evidence evidence = new Evidence(directory, survey);
    try {
      for (SurveyedFile file : survey.files()) {
        if (file.isDamaged()) {
          evidence.readHint(file);
        }
      }
      evidence.readIndex();
      return evidence;
    } catch (IOException | RuntimeException | Error failed) {
      evidence.close();
      throw failed;
    }
  }

  private void readHint(SurveyedFile file) throws IOException {
    OptionalLong salt = file.salt();
    Optional<HintSummary> hint =
        Hint.readAlone(directory, file.name(), survey.identity(), (hash, flags, unplaced) -> {});
    // A file whose header is gone has another salt now, or none.
    boolean fits =
        hint.isPresent() && (salt.isEmpty() || hint.get().dataSalt() == salt.getAsLong());
    if (!fits) {
      return;
    }
    Hint.readAlone(
        directory,
        file.name(),
        survey.identity(),
        (hash, flags, unplaced) -> {
          long offset = Location.offsetBytes(unplaced);
          if (file.isGap(offset)) {
            boolean removes = (flags & RecordHeader.REMOVE) != 0;
            damaged.saw(hash, Places.of(file.number(), offset, removes));
          }
        });
    hints.put(file.number(), hint.get());
  }

  private void readIndex() throws IOException {
    if (survey.covered().isEmpty()) {
      return;
    }
    Map<Integer, SurveyedFile> byNumber = new HashMap<>();
    for (CoveredFile covered : survey.covered()) {
      for (SurveyedFile file : survey.files()) {
        if (file.name().equals(covered.name())) {
          byNumber.put(covered.number(), file);
        }
      }
    }
    FileHeader any = new FileHeader(FileType.DATA, new DataFileName(1, 1, 0), survey.identity(), 0);
    Index index = new Index();
    live = index;
    try (TagIndex noLabels = new TagIndex()) {
      if (IndexCheckpoint.read(directory, any, coverage -> true, index, noLabels).isEmpty()) {
        live = null;
        index.close();
        return;
      }
    }
    for (CoveredFile covered : survey.covered()) {
      SurveyedFile file = byNumber.get(covered.number());
      if (file != null) {
        liveUpToBytes.put(file.number(), covered.coveredBytes());
      }
    }
    for (int partition = 0; partition < Index.PARTITIONS; partition++) {
      index.forEach(
          partition,
          (hash, location) -> {
            SurveyedFile file = byNumber.get(Location.file(location));
            long offset = Location.offsetBytes(location);
            if (file != null && file.isGap(offset)) {
              damaged.saw(hash, Places.of(file.number(), offset, false));
            }
          });
    }
  }

  /** Returns the last known place of each hash, if it is in a damaged range. */
  Places damaged() {
    return damaged;
  }

  /**
   * Returns whether the evidence names every key whose newest record in this file was in this
   * damage.
   */
  boolean tellsAll(SurveyedFile file, Damage damage) {
    return hintTells(file, damage)
        || (damage.lengthBytes() > 0
            && damage.offsetBytes() + damage.lengthBytes()
                <= liveUpToBytes.getOrDefault(file.number(), 0L))
        || (damage.lengthBytes() == 0 && isCoveredToItsEnd(file));
  }

  private boolean hintTells(SurveyedFile file, Damage damage) {
    HintSummary hint = hints.get(file.number());
    if (hint == null) {
      return false;
    }
    boolean covers =
        damage.lengthBytes() > 0 && damage.offsetBytes() + damage.lengthBytes() <= hint.dataBytes();
    // The last file may go on behind what its hint calls sealed; others end where they were sealed.
    boolean isLast = file.number() == survey.files().size();
    boolean isAll = hint.sealed() && (!isLast || hint.dataBytes() >= file.sizeBytes());
    return covers || isAll;
  }

  /** Files that are not the last of the covered ones end where they were covered. */
  private boolean isCoveredToItsEnd(SurveyedFile file) {
    Long covered = liveUpToBytes.get(file.number());
    boolean isLast = file.number() == survey.files().size();
    return covered != null && (!isLast || covered > file.sizeBytes());
  }

  /** Returns whether the key of this hash was removed after this place, as of the last close. */
  boolean wasRemovedBehind(long hash, long place) {
    Index index = live;
    return index != null
        && Location.offsetBytes(place) < liveUpToBytes.getOrDefault(Location.file(place), 0L)
        && index.find(hash) == Location.NONE;
  }

  @Override
  public void close() {
    damaged.close();
    if (live != null) {
      live.close();
    }
  }
}
