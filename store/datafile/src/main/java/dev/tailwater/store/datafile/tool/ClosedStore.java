package dev.tailwater.store.datafile.tool;

import dev.tailwater.store.StoreInspector;
import dev.tailwater.store.damage.StoreSalvage;
import java.io.IOException;

/**
 * The directory of a store of either mode that nobody has open. Only {@link #repair} changes
 * anything or keeps the lock: a process that wants to open the store never waits for one that only
 * looks. Thread-safe. Got by {@link Stores#closed}.
 *
 * <pre>{@code
 * ClosedStore store = Stores.closed(Path.of("/var/lib/app/store"));
 * store.forEach(new byte[0], entry -> print(entry));
 * }</pre>
 */
public interface ClosedStore extends StoreInspector, StoreSalvage {
  /** Returns the mode that the names of its files tell. */
  StoreMode mode();

  /** Returns how much the store holds. Reads indexes and hints where there are any. */
  StoreOverview overview() throws IOException;
}
