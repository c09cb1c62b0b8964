package dev.tailwater.io.watch.event;

/**
 * What events have reported about one name since it was looked at last: where to look, and how many
 * files came to the name and were deleted or replaced there meanwhile. The count follows the order
 * of the events. For one thread.
 */
public final class NameEvents {
  /** No event. */
  public static final NameEvents NONE = new NameEvents();

  private int flags;

  /** Whether a file came to the name since, and is not known to have left it again. */
  private boolean arrived;

  private boolean arrivedByRename;

  /** Whether what was at the name before these events has left it, and was deleted or replaced. */
  private boolean formerLeft;

  private boolean formerGone;

  /** Whether the kernel merged events, so that their order is unknown. */
  private boolean merged;

  private int createdAndGone;
  private int renamedAndGone;
  private int renamedAway;

  /** Adds an event, as flags of {@link DirtyNames}. */
  void add(int event) {
    flags |= event;
    if ((event & DirtyNames.DIRECTORY) != 0) {
      return;
    }
    boolean arrives = (event & (DirtyNames.CREATED | DirtyNames.MOVED_IN)) != 0;
    boolean leaves = (event & (DirtyNames.DELETED | DirtyNames.MOVED_OUT)) != 0;
    if (arrives) {
      leave(true); // A rename replaces what is there; before a creation, nothing is.
      arrived = true;
      arrivedByRename = (event & DirtyNames.CREATED) == 0;
      merged |= leaves;
    } else if (leaves) {
      leave((event & DirtyNames.DELETED) != 0);
      arrived = false;
    }
  }

  private void leave(boolean gone) {
    if (!arrived) {
      formerGone |= gone && !formerLeft;
      formerLeft = true;
    } else if (!gone) {
      renamedAway++;
    } else if (arrivedByRename) {
      renamedAndGone++;
    } else {
      createdAndGone++;
    }
  }

  /** Returns the flags of all events, as of {@link DirtyNames}. */
  public int flags() {
    return flags;
  }

  /** Returns whether the name is known to have been unlinked, not renamed. */
  public boolean isDeleted() {
    return (flags & (DirtyNames.DELETED | DirtyNames.MOVED)) == DirtyNames.DELETED;
  }

  /** Returns whether a file came to the name, and no event says that it has left it. */
  public boolean hasArrived() {
    return arrived && !(merged && isDeleted());
  }

  /** Returns whether what was at the name before these events has left it. */
  public boolean hasFormerLeft() {
    return formerLeft;
  }

  /** Returns whether what was at the name before these events was deleted or replaced there. */
  public boolean isFormerGone() {
    return formerGone;
  }

  /**
   * Returns how many files were created at the name and then deleted or replaced there.
   *
   * @param absent whether nothing is at the name now
   */
  public int createdAndGone(boolean absent) {
    return createdAndGone + (absent && arrived && merged && isDeleted() ? 1 : 0);
  }

  /** Returns how many files came to the name and were renamed away from it. */
  public int renamedAway() {
    return renamedAway;
  }

  /** Returns how many files were renamed to the name and then deleted or replaced there. */
  public int renamedAndGone() {
    return renamedAndGone;
  }
}
