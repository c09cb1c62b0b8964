package dev.tailwater.store.datafile.tool;

import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.Entry;
import dev.tailwater.store.EntryReader;
import dev.tailwater.store.damage.DamageListener;
import dev.tailwater.store.damage.RepairListener;
import dev.tailwater.store.damage.RepairResult;
import dev.tailwater.store.damage.StoreCheck;
import dev.tailwater.store.datafile.salvage.DataFileSalvage;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A store of data files. */
final class ClosedDataFiles implements ClosedStore {
  private final DataFileTool tool;
  private final DataFileSalvage salvage;

  ClosedDataFiles(FileCalls calls, PosixPath directory, InstantSource clock) {
    this.tool = new DataFileTool(calls, directory);
    this.salvage = new DataFileSalvage(calls, directory, clock);
  }

  @Override
  public StoreMode mode() {
    return StoreMode.DATA;
  }

  @Override
  public StoreOverview overview() throws IOException {
    DataFileTool.Summary summary = tool.summary();
    List<StoreOverview.FileOverview> files =
        summary.files().stream()
            .map(
                file ->
                    new StoreOverview.FileOverview(
                        file.name().path().toString(),
                        file.sizeBytes(),
                        OptionalLong.of(file.records()),
                        OptionalLong.of(file.liveBytes())))
            .toList();
    return new StoreOverview(
        StoreMode.DATA,
        summary.keys(),
        summary.files().stream().mapToLong(DataFileTool.FileSummary::liveBytes).sum(),
        files,
        OptionalLong.of(summary.lastVersion()),
        OptionalLong.of(summary.indexBytes()),
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
