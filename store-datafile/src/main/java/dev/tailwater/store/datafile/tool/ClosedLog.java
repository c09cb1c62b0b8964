package dev.tailwater.store.datafile.tool;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.Entry;
import dev.tailwater.store.EntryReader;
import dev.tailwater.store.damage.DamageListener;
import dev.tailwater.store.damage.RepairListener;
import dev.tailwater.store.damage.RepairResult;
import dev.tailwater.store.damage.StoreCheck;
import dev.tailwater.store.log.StoreSummary;
import dev.tailwater.store.log.StoreTool;
import dev.tailwater.store.log.salvage.LogSalvage;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A store of a transaction log. */
final class ClosedLog implements ClosedStore {
  private final StoreTool tool;
  private final LogSalvage salvage;

  ClosedLog(FileCalls calls, PosixPath directory, InstantSource clock) {
    this.tool = new StoreTool(calls, directory);
    this.salvage = new LogSalvage(calls, directory, clock);
  }

  @Override
  public StoreMode mode() {
    return StoreMode.LOG;
  }

  @Override
  public StoreOverview overview() throws IOException {
    StoreSummary summary = tool.stats();
    List<StoreOverview.FileOverview> files =
        summary.files().stream()
            .map(
                file ->
                    new StoreOverview.FileOverview(
                        file.name(),
                        file.sizeBytes(),
                        OptionalLong.of(file.operations()),
                        OptionalLong.empty()))
            .toList();
    return new StoreOverview(
        StoreMode.LOG,
        summary.keys(),
        summary.liveBytes(),
        files,
        OptionalLong.empty(),
        OptionalLong.empty(),
        summary.tornBytes(),
        summary.sealed());
  }

  @Override
  public Optional<Entry> find(byte[] key) throws IOException {
    return tool.find(key);
  }

  @Override
  public void forEach(byte[] keyPrefix, EntryReader action) throws IOException {
    tool.forEach(keyPrefix, action);
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
