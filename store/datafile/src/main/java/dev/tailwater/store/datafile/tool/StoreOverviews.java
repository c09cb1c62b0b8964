package dev.tailwater.store.datafile.tool;

import dev.tailwater.store.datafile.tool.StoreOverview.FileOverview;
import dev.tailwater.store.log.StoreSummary;
import java.util.List;
import java.util.OptionalLong;

/** Overviews made of what the tool of each mode says. */
final class StoreOverviews {
  private StoreOverviews() {}

  static StoreOverview of(StoreSummary log) {
    List<FileOverview> files =
        log.files().stream()
            .map(
                file ->
                    new FileOverview(
                        file.name(),
                        file.sizeBytes(),
                        OptionalLong.of(file.operations()),
                        OptionalLong.empty()))
            .toList();
    return new StoreOverview(
        StoreMode.LOG,
        log.keys(),
        log.liveBytes(),
        files,
        OptionalLong.empty(),
        OptionalLong.empty(),
        log.tornBytes(),
        log.sealed());
  }

  static StoreOverview of(DataFileTool.Summary dataFiles) {
    List<FileOverview> files =
        dataFiles.files().stream()
            .map(
                file ->
                    new FileOverview(
                        file.name().path().toString(),
                        file.sizeBytes(),
                        OptionalLong.of(file.records()),
                        OptionalLong.of(file.liveBytes())))
            .toList();
    return new StoreOverview(
        StoreMode.DATA,
        dataFiles.keys(),
        dataFiles.files().stream().mapToLong(DataFileTool.FileSummary::liveBytes).sum(),
        files,
        OptionalLong.of(dataFiles.lastVersion()),
        OptionalLong.of(dataFiles.indexBytes()),
        dataFiles.tornBytes(),
        dataFiles.sealed());
  }
}
