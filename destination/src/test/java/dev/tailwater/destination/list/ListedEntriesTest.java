package dev.tailwater.destination.list;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tailwater.destination.Destination;
import dev.tailwater.destination.DestinationContext;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.Destinations;
import dev.tailwater.destination.Entry;
import dev.tailwater.destination.ForwardingDestination;
import dev.tailwater.destination.Listing;
import dev.tailwater.destination.OpenIntent;
import dev.tailwater.destination.PermanentDestinationException;
import dev.tailwater.posix.linux.LinuxFileCalls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ListedEntriesTest {
  private final DestinationContext context =
      new DestinationContext(LinuxFileCalls.create(), InstantSource.system(), new Random());

  private Destination directory;
  private int pages;

  @BeforeEach
  void putSomeObjects(@TempDir Path base) throws Exception {
    Path archive = Files.createDirectory(base.toRealPath().resolve("archive"));
    for (String key : List.of("a-1", "b-1", "b-2", "b-3", "b-4", "b-5", "c-1")) {
      Files.writeString(archive.resolve(key), key);
    }
    directory = Destinations.open(archive.toString(), OpenIntent.READ, context);
  }

  @AfterEach
  void close() throws Exception {
    directory.close();
  }

  /** Returns a destination with two objects a page, of which some are told again and again. */
  private Destination twoAtOnce(boolean circles) {
    return new ForwardingDestination(directory) {
      @Override
      public Listing list(String prefix, Optional<String> afterKey, int maxEntries)
          throws DestinationException {
        pages++;
        return super.list(prefix, circles ? Optional.empty() : afterKey, 2);
      }
    };
  }

  private static List<String> keys(ListedEntries entries) throws DestinationException {
    List<String> keys = new ArrayList<>();
    for (Optional<Entry> next = entries.next(); next.isPresent(); next = entries.next()) {
      keys.add(next.get().key());
    }
    return keys;
  }

  @Test
  void haveEachObjectOfEachPageOnce() throws Exception {
    ListedEntries all = new ListedEntries(twoAtOnce(false), "b-");
    assertEquals(0, pages);
    assertEquals(List.of("b-1", "b-2", "b-3", "b-4", "b-5"), keys(all));
    assertEquals(Optional.empty(), all.next());
    assertEquals(3, pages);
  }

  @Test
  void beginBehindAKeyAndListNoPageThatNobodyNeeds() throws Exception {
    ListedEntries all = new ListedEntries(twoAtOnce(false), "b-", Optional.of("b-2"));
    assertEquals("b-3", all.next().orElseThrow().key());
    assertEquals("b-4", all.next().orElseThrow().key());
    assertEquals(1, pages);
  }

  @Test
  void refuseAServerThatGoesInCircles() {
    ListedEntries all = new ListedEntries(twoAtOnce(true), "b-");
    assertThrows(PermanentDestinationException.class, () -> keys(all));
    assertEquals(2, pages);
  }

  @Test
  void areNoneWhereThereIsNone() throws Exception {
    assertEquals(List.of(), keys(new ListedEntries(twoAtOnce(false), "d-")));
  }
}
