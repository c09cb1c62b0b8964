package dev.tailwater.store.datafile.vacuum;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.store.datafile.file.DataFile;
import dev.tailwater.store.datafile.file.DataFileCreator;
import dev.tailwater.store.datafile.file.DataFiles;
import dev.tailwater.store.datafile.format.DataFileName;
import dev.tailwater.store.datafile.format.FileHeader.StoreIdentity;
import dev.tailwater.store.datafile.index.Location;
import dev.tailwater.store.files.StoreDirectory;
import dev.tailwater.store.simulated.SimulatedFileSystem;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class VacuumPolicyTest {
  private final SimulatedFileSystem files = new SimulatedFileSystem();

  /** Full of removals, say, of which nothing is known since the store was opened. */
  @Test
  void joinsNoMoreThanALocationCanName() throws IOException {
    try (StoreDirectory directory =
            StoreDirectory.openOrCreate(files.calls(), SimulatedFileSystem.STORE);
        DataFiles dataFiles = new DataFiles(100)) {
      DataFileCreator creator =
          new DataFileCreator(directory, new StoreIdentity(1, 2, 3), new Random(1));
      for (int place = 1; place <= 8; place++) {
        DataFile file = creator.create(new DataFileName(place, place, 0)).publish(dataFiles);
        file.wrote(1L << 30);
        file.addedBefore(1000, 1000, 0);
      }
      List<DataFile> run = new VacuumPolicy(1.5, 1L << 30).next(dataFiles.inOrder(), 0);
      long bytes = run.stream().mapToLong(DataFile::writtenBytes).sum();
      assertTrue(bytes < Location.OFFSET_LIMIT, bytes + " bytes in one file");
      assertEquals(3, run.size());
    }
  }
}
