package dev.tailwater.delivery.pack;

/**
 * Whether short ranges, and what there is to say of files, travel in packs for one destination. It
 * is turned on once, and stays on until the agent ends. Thread-safe.
 */
public final class PackSwitch {
  private final PackUse use;
  private volatile boolean on;

  public PackSwitch(PackUse use) {
    this.use = use;
    this.on = use.isAlways();
  }

  /** Returns whether packs are in use. */
  public boolean isOn() {
    return on;
  }

  /**
   * Returns whether packs are in use, and turns them on where so many files are a reason for that.
   *
   * @param files how many have unread bytes now
   */
  public boolean isOnFor(int files) {
    if (!on && !use.isNever() && files >= use.leastFiles()) {
      on = true;
    }
    return on;
  }

  /** Returns whether packs are used however few files there are. */
  public boolean isAlwaysOn() {
    return use.isAlways();
  }
}
