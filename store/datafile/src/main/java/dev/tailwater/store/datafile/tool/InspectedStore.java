package dev.tailwater.store.datafile.tool;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.Entry;
import dev.tailwater.store.EntryReader;
import dev.tailwater.store.StoreInspector;
import dev.tailwater.store.damage.DamageListener;
import dev.tailwater.store.damage.RepairListener;
import dev.tailwater.store.damage.RepairResult;
import dev.tailwater.store.damage.StoreCheck;
import dev.tailwater.store.damage.StoreSalvage;
import dev.tailwater.store.datafile.salvage.DataFileSalvage;
import dev.tailwater.store.log.StoreTool;
import dev.tailwater.store.log.salvage.LogSalvage;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;

/**
 * A closed store, made of the tools of its mode.
 *
 * @param summary how much it holds
 */
record InspectedStore(
    StoreMode mode, Summary summary, StoreInspector inspector, StoreSalvage salvage)
    implements ClosedStore {
  /** Says how much a store holds. */
  @FunctionalInterface
  interface Summary {
    StoreOverview overview() throws IOException;
  }

  static InspectedStore log(FileCalls calls, PosixPath directory, InstantSource clock) {
    StoreTool tool = new StoreTool(calls, directory);
    LogSalvage salvage = new LogSalvage(calls, directory, clock);
    return new InspectedStore(StoreMode.LOG, () -> StoreOverviews.of(tool.stats()), tool, salvage);
  }

  static InspectedStore dataFiles(FileCalls calls, PosixPath directory, InstantSource clock) {
    DataFileTool tool = new DataFileTool(calls, directory);
    DataFileSalvage salvage = new DataFileSalvage(calls, directory, clock);
    return new InspectedStore(
        StoreMode.DATA, () -> StoreOverviews.of(tool.summary()), tool, salvage);
  }

  @Override
  public StoreOverview overview() throws IOException {
    return summary.overview();
  }

  @Override
  public Optional<Entry> find(byte[] key) throws IOException {
    return inspector.find(key);
  }

  @Override
  public void forEach(byte[] keyPrefix, EntryReader action) throws IOException {
    inspector.forEach(keyPrefix, action);
  }

  @Override
  public StoreCheck verify(DamageListener listener) throws IOException {
    return salvage.verify(listener);
  }

  @Override
  public RepairResult repair(RepairListener listener) throws IOException {
    return salvage.repair(listener);
  }
}
