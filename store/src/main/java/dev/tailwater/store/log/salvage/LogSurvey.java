package dev.tailwater.store.log.salvage;

import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.DamagedStoreException;
import dev.tailwater.store.damage.AffectedKey;
import dev.tailwater.store.damage.AffectedKey.Certainty;
import dev.tailwater.store.damage.AffectedKey.Effect;
import dev.tailwater.store.damage.Damage;
import dev.tailwater.store.damage.DamageListener;
import dev.tailwater.store.damage.KeyCounter;
import dev.tailwater.store.damage.StoreCheck;
import dev.tailwater.store.damage.StoreCheck.CheckedFile;
import dev.tailwater.store.damage.StoreCheck.Role;
import dev.tailwater.store.files.StoreDirectory;
import dev.tailwater.store.files.StoreFileReader;
import dev.tailwater.store.log.format.EntryVersion;
import dev.tailwater.store.log.format.FileCheck;
import dev.tailwater.store.log.format.FileHeader;
import dev.tailwater.store.log.format.FileKind;
import dev.tailwater.store.log.format.FrameHeader;
import dev.tailwater.store.log.format.FrameKind;
import dev.tailwater.store.log.format.LogFileName;
import dev.tailwater.store.log.format.Operation;
import dev.tailwater.store.log.map.PersistentMap;
import dev.tailwater.store.log.recovery.FilePlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A survey of all files of a store, also behind damage: what is whole, which ranges are damaged,
 * and which keys are affected. Keeps the entries in memory, as the store does.
 */
final class LogSurvey {
  /** Stands for an unknown number of operations, when the end of a file is missing. */
  private static final long MANY = EntryVersion.MAX_OPERATIONS;

  private final StoreDirectory directory;
  private final FilePlan plan;
  private final List<CheckedFile> files = new ArrayList<>();

  /** Keys that seem to be in damaged frames, until a whole frame writes them again. */
  private final TreeMap<byte[], Suspect> suspects = new TreeMap<>(Arrays::compareUnsigned);

  private PersistentMap map = PersistentMap.EMPTY;
  private OptionalLong storeId = OptionalLong.empty();

  /** Versions below it may have been followed by a damaged one of their key. */
  private long untoldVersion;

  private @Nullable Damage untold;
  private long unnamed;

  private LogSurvey(StoreDirectory directory, FilePlan plan) {
    this.directory = directory;
    this.plan = plan;
  }

  private record Suspect(boolean isPut, Damage damage) {}

  static LogSurvey of(StoreDirectory directory, DamageListener listener) throws IOException {
    LogSurvey survey = new LogSurvey(directory, FilePlan.list(directory));
    survey.run(listener);
    return survey;
  }

  FilePlan plan() {
    return plan;
  }

  List<CheckedFile> files() {
    return files;
  }

  /** Returns the map of everything that is whole. */
  PersistentMap map() {
    return map;
  }

  /** Returns the store's id; empty when no file says it any more. */
  OptionalLong storeId() {
    return storeId;
  }

  private void run(DamageListener listener) throws IOException {
    List<LogFileName> names = new ArrayList<>(plan.logs());
    plan.snapshot().ifPresent(names::addFirst);
    names.addAll(plan.missing());
    names.sort(
        (one, other) ->
            one.sequence() != other.sequence()
                ? Long.compare(one.sequence(), other.sequence())
                : other.kind().compareTo(one.kind()));
    int done = 0;
    for (LogFileName name : names) {
      if (plan.missing().contains(name)) {
        addMissing(name);
      } else {
        boolean isLast = !plan.logs().isEmpty() && name.equals(plan.logs().getLast());
        look(name, isLast);
      }
      listener.progress(++done, names.size());
    }
    for (LogFileName obsolete : plan.obsolete()) {
      files.add(unread(obsolete.path(), Role.OBSOLETE));
    }
    for (PosixPath temporary : plan.temporary()) {
      files.add(unread(temporary, Role.UNFINISHED));
    }
  }

  private void addMissing(LogFileName name) {
    PosixPath path = directory.pathOf(name.path());
    Damage damage = new Damage(path, 0, 0, "the file is missing", MANY);
    files.add(new CheckedFile(path, Role.MISSING, 0, 0, 0, List.of(damage), Optional.empty()));
    isUntold(damage, EntryVersion.of(name.sequence(), 0), MANY);
  }

  private CheckedFile unread(PosixPath name, Role role) throws IOException {
    int fd = directory.openToRead(name);
    try {
      long sizeBytes = directory.calls().fstat(fd).sizeBytes();
      PosixPath path = directory.pathOf(name);
      return new CheckedFile(path, role, sizeBytes, 0, 0, List.of(), Optional.empty());
    } finally {
      directory.calls().close(fd);
    }
  }

  private void look(LogFileName name, boolean isLast) throws IOException {
    PosixPath path = directory.pathOf(name.path());
    int fd = directory.openToRead(name.path());
    try (StoreFileReader reader = new StoreFileReader(directory.calls(), fd, path)) {
      // Where the file is in order, it says itself where its torn tail begins.
      Optional<DamagedStoreException> wrong = Optional.empty();
      long endBytes = reader.sizeBytes();
      try {
        endBytes = FileCheck.check(reader, name, isLast, storeId).endBytes();
      } catch (DamagedStoreException damaged) {
        wrong = Optional.of(damaged);
      }
      Reading reading = new Reading(name, endBytes);
      FrameSalvage salvage = FrameSalvage.open(reader, name);
      salvage
          .headerProblem()
          .ifPresent(
              why -> reading.damages.add(new Damage(path, 0, FileHeader.LENGTH_BYTES, why, 0)));
      boolean foreign =
          salvage.header().isPresent()
              && storeId.isPresent()
              && salvage.header().get().storeId() != storeId.getAsLong();
      if (!foreign) {
        salvage.header().ifPresent(header -> storeId = OptionalLong.of(header.storeId()));
        salvage.scan(reading);
      }
      wrong.ifPresent(damaged -> reading.endsWith(damaged, reader.sizeBytes(), foreign));
      Role role = name.kind() == FileKind.SNAPSHOT ? Role.SNAPSHOT : Role.LOG;
      files.add(
          new CheckedFile(
              path,
              role,
              reader.sizeBytes(),
              reading.operations,
              reader.sizeBytes() - endBytes,
              reading.damages,
              Optional.empty()));
    } finally {
      directory.calls().close(fd);
    }
  }

  private void isUntold(Damage damage, long version, long most) {
    untold = damage;
    untoldVersion = version;
    unnamed += most;
  }

  /** Puts what one file holds into the map. */
  private final class Reading implements FrameSalvage.Visitor {
    private final LogFileName name;
    private final long endBytes;
    private final boolean isSnapshot;
    private final List<Damage> damages = new ArrayList<>();
    private long operations;

    /** With those of damaged frames, so that no version is ever given twice. */
    private long numbered;

    private boolean ended;
    private long unnamedHere;

    Reading(LogFileName name, long endBytes) {
      this.name = name;
      this.endBytes = endBytes;
      this.isSnapshot = name.kind() == FileKind.SNAPSHOT;
    }

    @Override
    public void whole(FrameHeader frame, List<Operation> found, long offsetBytes) {
      if (offsetBytes >= endBytes) {
        return;
      }
      for (Operation operation : found) {
        long version = EntryVersion.of(name.sequence(), numbered++);
        boolean hasVersion = isSnapshot && operation.kind() == Operation.FULL_PUT;
        map = map.after(hasVersion ? operation : operation.withVersion(version));
        suspects.remove(operation.key());
        operations++;
      }
      if (frame.kind() == FrameKind.SNAPSHOT_END && isSnapshot) {
        ended = true;
        long missing = Math.max(0, frame.operations() - operations);
        unnamed += Math.min(0, missing - unnamedHere);
      }
    }

    @Override
    public void gap(
        long fromBytes,
        long toBytes,
        String why,
        Optional<FrameHeader> frame,
        List<Operation> guessed) {
      if (fromBytes >= endBytes) {
        return; // the torn tail
      }
      long most =
          frame
              .map(FrameHeader::operations)
              .orElse((toBytes - fromBytes) / Operation.REMOVE_HEAD_BYTES);
      boolean holdsNothing = frame.isPresent() && frame.get().kind() != FrameKind.OPERATIONS;
      most = holdsNothing ? 0 : Math.clamp(most, 0, MANY);
      Damage damage =
          new Damage(directory.pathOf(name.path()), fromBytes, toBytes - fromBytes, why, most);
      damages.add(damage);
      numbered = Math.min(MANY, numbered + most);
      for (Operation operation : guessed) {
        suspects.put(operation.key(), new Suspect(operation.isPut(), damage));
      }
      unnamedHere += most;
      if (isSnapshot) {
        unnamed += most; // nothing older is there of its keys
      } else if (most > 0) {
        isUntold(damage, EntryVersion.of(name.sequence(), numbered), most);
      }
    }

    /** Adds what the check of the file found that is not a gap. */
    void endsWith(DamagedStoreException wrong, long sizeBytes, boolean foreign) {
      boolean said =
          damages.stream().anyMatch(damage -> damage.offsetBytes() == wrong.offsetBytes());
      boolean misses = isSnapshot ? !ended : wrong.offsetBytes() >= sizeBytes;
      if (said && !misses) {
        return;
      }
      long length = foreign ? sizeBytes : 0;
      long offset = said ? sizeBytes : wrong.offsetBytes();
      String why = said ? "the end of the file is missing" : wrong.why();
      Damage damage = new Damage(wrong.file(), offset, length, why, misses || foreign ? MANY : 0);
      damages.add(damage);
      if (isSnapshot) {
        unnamed += misses || foreign ? MANY : 0;
      } else if (misses || foreign) {
        isUntold(damage, EntryVersion.of(name.sequence(), MANY), MANY);
      }
    }
  }

  /** Reports damages and affected keys to the listener. */
  StoreCheck.Keys report(DamageListener listener) throws IOException {
    for (CheckedFile file : files) {
      for (Damage damage : file.damages()) {
        listener.damage(damage);
      }
    }
    KeyCounter counter = new KeyCounter(listener);
    for (var entry : suspects.entrySet()) {
      boolean there = map.find(entry.getKey()).isPresent();
      if (!there && !entry.getValue().isPut()) {
        continue;
      }
      Effect effect =
          !there ? Effect.LOST : entry.getValue().isPut() ? Effect.OLDER : Effect.RETURNED;
      counter.key(
          new AffectedKey(
              Optional.of(entry.getKey().clone()),
              0,
              effect,
              Certainty.LIKELY,
              entry.getValue().damage()));
    }
    Damage last = untold;
    if (last != null) {
      map.<IOException>forEach(
          new byte[0],
          put -> {
            if (put.version() < untoldVersion && !suspects.containsKey(put.key())) {
              counter.key(
                  new AffectedKey(
                      Optional.of(put.key().clone()), 0, Effect.OLDER, Certainty.POSSIBLE, last));
            }
          });
    }
    return counter.counted(Math.max(0, unnamed - suspects.size()));
  }
}
