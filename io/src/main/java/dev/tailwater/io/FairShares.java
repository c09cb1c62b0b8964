package dev.tailwater.io;

import com.google.errorprone.annotations.concurrent.GuardedBy;

/**
 * A bounded amount of something for several users: a part of it belongs to them in equal shares,
 * which nobody else can take away, and the rest to those who come first. Thread-safe.
 */
public final class FairShares {
  private final long ownPart;
  private final long common;

  @GuardedBy("this")
  private long commonTaken;

  /**
   * @param total how much there is
   * @param users how many share it
   * @param ownOneIn one in so many belongs to the users in equal shares
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

    /** Whether so much more may be taken. */
    public boolean hasRoom(long amount) {
      synchronized (FairShares.this) {
        return taken + amount <= own || commonTaken + growth(amount) <= common;
      }
    }

    /** Takes it, if there is room. */
    public boolean tryTake(long amount) {
      synchronized (FairShares.this) {
        boolean room = hasRoom(amount);
        if (room) {
          take(amount);
        }
        return room;
      }
    }

    /** Takes it, whether or not there is room. */
    public void take(long amount) {
      synchronized (FairShares.this) {
        commonTaken += growth(amount);
        taken += amount;
      }
    }

    /** Gives it back. */
    public void give(long amount) {
      take(-amount);
    }

    /** How much is taken. */
    public long taken() {
      synchronized (FairShares.this) {
        return taken;
      }
    }

    /** By how much more of what is common is taken then. */
    @GuardedBy("FairShares.this")
    private long growth(long amount) {
      return Math.max(0, taken + amount - own) - Math.max(0, taken - own);
    }
  }

  /** A share with a part of its own. */
  public Share share() {
    return new Share(ownPart);
  }

  /** How much one user can have when nobody else takes anything. */
  public long maxPerUser() {
    return ownPart + common;
  }
}
