package dev.tailwater.io;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * A bounded resource for several users. A part of it is reserved for them in equal shares; the rest
 * goes to whoever takes it first. Thread-safe.
 */
public final class FairShares {
  private final long ownPart;
  private final long common;

  @GuardedBy("this")
  private long commonTaken;

  /**
   * @param total the amount of the resource
   * @param users the number of users
   * @param ownOneIn the reserved part is one in this many
   */
  public FairShares(long total, int users, int ownOneIn) {
    if (total < 0 || users < 1 || ownOneIn < 1) {
      throw new IllegalArgumentException("cannot share " + total + " among " + users);
    }
    this.ownPart = total / ownOneIn / users;
    this.common = total - ownPart * users;
  }

  /** One user's share. */
  public final class Share {
    private final long own;

    @GuardedBy("FairShares.this")
    private long taken;

    private Share(long own) {
      this.own = own;
    }

    /** Returns whether this user may take an additional amount. */
    public boolean hasRoom(long amount) {
      synchronized (FairShares.this) {
        return taken + amount <= own || commonTaken + growth(amount) <= common;
      }
    }

    /** Returns how much this user may take now. */
    public long room() {
      synchronized (FairShares.this) {
        return Math.max(0, own - taken) + Math.max(0, common - commonTaken);
      }
    }

    /** Takes an amount if there is room; returns whether there was. */
    public boolean tryTake(long amount) {
      synchronized (FairShares.this) {
        boolean room = hasRoom(amount);
        if (room) {
          take(amount);
        }
        return room;
      }
    }

    /** Takes an amount, whether or not there is room. */
    public void take(long amount) {
      synchronized (FairShares.this) {
        commonTaken += growth(amount);
        taken += amount;
      }
    }

    /** Gives an amount back. */
    public void give(long amount) {
      take(-amount);
    }

    /** Returns the amount that this user has taken. */
    public long taken() {
      synchronized (FairShares.this) {
        return taken;
      }
    }

    /** Returns how much more of the common part would be taken. */
    @GuardedBy("FairShares.this")
    private long growth(long amount) {
      return Math.max(0, taken + amount - own) - Math.max(0, taken - own);
    }
  }

  /** Creates the share of one user. */
  public Share share() {
    return new Share(ownPart);
  }

  /** Returns how much one user can have if nobody else takes anything. */
  public long maxPerUser() {
    return ownPart + common;
  }
}
