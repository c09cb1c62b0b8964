package dev.tailwater.restore;

import dev.tailwater.archive.ArchiveException;
import dev.tailwater.archive.DamagedSegmentException;
import dev.tailwater.archive.NoIdentityException;
import dev.tailwater.archive.NotAuthenticException;
import dev.tailwater.destination.ColdObjectException;
import dev.tailwater.destination.DestinationException;
import java.util.List;
import java.util.OptionalLong;

/**
 * An object of an archive that is not what it should be. Nothing is lost but what it holds.
 *
 * @param key the object
 * @param offsetBytes where in the object, as far as that is known
 * @param why for a person to read; does not repeat the key
 */
public record Damage(String key, Kind kind, OptionalLong offsetBytes, String why) {
  /** What is wrong with an object. */
  public enum Kind {
    /** It is gone, or not what a writer wrote under its name. */
    DAMAGED,
    /** It is whole, and has other bytes than another object of its stream. */
    CONTRADICTED,
    /** It is not encrypted, and only encrypted objects are trusted: {@link ReadOptions}. */
    REFUSED,
    /** It has no signature, and only signed objects are trusted. */
    UNSIGNED,
    /** It is not what a trusted key has signed. */
    FORGED,
    /** It is encrypted, and no identity opens it. */
    LOCKED,
    /** It does not say what was there at the moment that was asked for. */
    UNTOLD,
    /** The destination failed, so nothing is known of it: it may be whole. */
    UNREADABLE
  }

  public static Damage of(String key, String why) {
    return new Damage(key, Kind.DAMAGED, OptionalLong.empty(), why);
  }

  /** What the destination would not give, which says nothing about the object. */
  public static Damage unreadable(String key, DestinationException e) {
    String what = "could not be read: " + e.getMessage();
    return new Damage(
        key,
        Kind.UNREADABLE,
        OptionalLong.empty(),
        e instanceof ColdObjectException ? what + ". " + e.hint() : what);
  }

  public static Damage contradiction(String key, String why) {
    return new Damage(key, Kind.CONTRADICTED, OptionalLong.empty(), why);
  }

  public static Damage refusal(String key) {
    return new Damage(
        key,
        Kind.REFUSED,
        OptionalLong.empty(),
        "it is not encrypted, and with an identity only encrypted segments are trusted");
  }

  public static Damage untold(String key, String why) {
    return new Damage(key, Kind.UNTOLD, OptionalLong.empty(), why);
  }

  /** A pack that is shorter or longer than its directory states. */
  public static Damage otherLength(String key, long objectBytes, long statedBytes) {
    return of(key, "it has " + objectBytes + " bytes, and its directory is that of " + statedBytes);
  }

  /** One sentence for packs that no identity opens: at least one. */
  public static Damage together(List<Damage> locked) {
    Damage first = locked.getFirst();
    return new Damage(
        first.key(),
        Kind.LOCKED,
        first.offsetBytes(),
        locked.size() == 1
            ? first.why()
            : "this and "
                + (locked.size() - 1)
                + " more packs are encrypted, and no identity opens them");
  }

  /** Why an object could not be opened. */
  public static Damage of(ArchiveException e) {
    Kind kind =
        switch (e) {
          case NoIdentityException _ -> Kind.LOCKED;
          case NotAuthenticException refusal -> refusal.isUnsigned() ? Kind.UNSIGNED : Kind.FORGED;
          default -> Kind.DAMAGED;
        };
    OptionalLong offset =
        e instanceof DamagedSegmentException damaged
            ? OptionalLong.of(damaged.offsetBytes())
            : OptionalLong.empty();
    String message = String.valueOf(e.getMessage());
    String twice = e.key() + ": ";
    String why = message.startsWith(twice) ? message.substring(twice.length()) : message;
    return new Damage(e.key(), kind, offset, why);
  }
}
