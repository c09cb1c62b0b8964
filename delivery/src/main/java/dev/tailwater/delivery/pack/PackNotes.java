package dev.tailwater.delivery.pack;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tailwater.archive.name.PackGroup;
import dev.tailwater.delivery.checkpoint.CheckpointSaver;
import dev.tailwater.delivery.checkpoint.CheckpointStore;
import dev.tailwater.delivery.checkpoint.CheckpointStore.Sequence;
import java.io.IOException;
import java.util.Optional;

/**
 * Notes in the local state from which group on packs may hold more than the checkpoints know: an
 * agent that was interrupted asks the destination for these only. A note that is missing or old
 * costs more reads, and nothing else. Thread-safe.
 */
public final class PackNotes {
  private final CheckpointStore store;
  private final CheckpointSaver saver;

  @GuardedBy("this")
  private boolean complete;

  /** The last group of which a pack is durable and saved. */
  @GuardedBy("this")
  private Optional<PackGroup> saved = Optional.empty();

  /** The group before that; that one itself if it is the first of this run. */
  @GuardedBy("this")
  private Optional<PackGroup> before = Optional.empty();

  @GuardedBy("this")
  private Optional<PackGroup> noted = Optional.empty();

  @GuardedBy("this")
  private Optional<PackGroup> begun = Optional.empty();

  public PackNotes(CheckpointStore store, CheckpointSaver saver) {
    this.store = store;
    this.saver = saver;
  }

  /** Returns the group that was noted last. */
  public Optional<PackGroup> latest() throws IOException {
    return store.packGroup();
  }

  /**
   * Notes, before the first pack, that there may be packs: a later agent asks for them even if it
   * makes none.
   */
  public void begin() throws IOException {
    if (store.packGroup().isEmpty()) {
      store.notePackGroup(PackGroup.EARLIEST);
    }
  }

  /** Notes, before its first pack, that this state knows of a group. */
  public synchronized void begun(PackGroup group) {
    if (!begun.equals(Optional.of(group))
        && saver.note("begun packs", () -> store.noteBegun(Sequence.PACKS, group))) {
      begun = Optional.of(group);
    }
  }

  /** Notes that the checkpoints know all that earlier runs have delivered in packs. */
  public synchronized void complete() {
    complete = true;
  }

  /**
   * Notes that a pack was given up, and may have arrived all the same: the next start must find it,
   * so nothing later is noted in this run.
   */
  public synchronized void givenUp() {
    complete = false;
  }

  /**
   * Notes that a pack of this group is durable and, with all before it, in the checkpoints. What is
   * left of the group before it is merged only now: a start after a crash must find what that
   * superseded, and so begins there.
   */
  public synchronized void saved(PackGroup group) {
    if (!complete) {
      return;
    }
    if (!saved.equals(Optional.of(group))) {
      before = saved.or(() -> Optional.of(group));
      saved = Optional.of(group);
    }
    PackGroup from = before.orElse(group);
    if (!noted.equals(Optional.of(from)) && saver.note("packs", () -> store.notePackGroup(from))) {
      noted = Optional.of(from);
    }
  }

  /** Notes, before a clean end, that the checkpoints know all packs up to this group. */
  public void end(PackGroup latest) throws IOException {
    store.notePackGroup(latest);
  }
}
