package dev.tailwater.delivery.checkpoint;

import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.store.DamagedStoreException;
import dev.tailwater.store.KeyValueStore;
import dev.tailwater.store.log.DamagedLog;
import dev.tailwater.store.log.StoreOptions;
import dev.tailwater.store.log.TransactionLogStore;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;

/**
 * The open store with what an agent knows from its earlier runs. Losing it costs only a listing of
 * the destination, so a damaged one is set aside and does not keep the agent from starting.
 *
 * @param setAside the damaged state that this one replaces
 */
public record AgentState(KeyValueStore store, Optional<DamagedLog.Aside> setAside) {
  private static final String SET_ASIDE_PREFIX = "state.damaged-";

  /**
   * Opens the state in this directory, or creates it.
   *
   * @throws dev.tailwater.store.StoreLockedException when another agent uses it
   * @throws IOException when it cannot be read or written, for another reason than damage
   */
  public static AgentState open(FileCalls calls, PosixPath directory, Instant now)
      throws IOException {
    try {
      return new AgentState(openStore(calls, directory), Optional.empty());
    } catch (DamagedStoreException damaged) {
      Optional<DamagedLog.Aside> aside =
          DamagedLog.setAside(calls, directory, SET_ASIDE_PREFIX, now);
      return new AgentState(openStore(calls, directory), aside);
    }
  }

  private static KeyValueStore openStore(FileCalls calls, PosixPath directory) throws IOException {
    TransactionLogStore store = TransactionLogStore.open(calls, directory, StoreOptions.defaults());
    boolean sound = false;
    try {
      if (!store.wasClosed()) {
        // The end of the log may be missing, and with it the note that another run has begun.
        CheckpointStore.forgetCleanEnds(store);
      }
      sound = true;
      return store;
    } finally {
      if (!sound) {
        store.close();
      }
    }
  }

  /** Reports that a damaged state was set aside, if it was. */
  public void report(Problems problems) {
    setAside.ifPresent(
        aside ->
            problems.reportHarmless(
                aside.directory().toString(),
                "the state was damaged: "
                    + aside.damage().getMessage()
                    + "; it was set aside as "
                    + aside.directory()
                    + ", and the destination is asked what it holds, as after a lost state",
                Optional.of(
                    "nothing is lost; look for disk errors in the kernel's log, and delete the"
                        + " directory when you do not need it any more"),
                true));
  }
}
