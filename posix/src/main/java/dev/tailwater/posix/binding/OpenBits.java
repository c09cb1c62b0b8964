package dev.tailwater.posix.binding;

import dev.tailwater.posix.value.OpenFlag;
import dev.tailwater.posix.value.ResolveFlag;
import java.util.EnumSet;
import java.util.Set;

/** Conversions from sets of enum constants to the bits of the kernel, and back. */
public final class OpenBits {
  private static final int CLOSE_ON_EXEC = 02000000;
  private static final long MODE_BITS = 07777;
  private static final int ACCESS_MODE = 03;
  private static final Set<OpenFlag> KEPT =
      Set.of(
          OpenFlag.APPEND,
          OpenFlag.NON_BLOCK,
          OpenFlag.DATA_SYNC,
          OpenFlag.NO_ACCESS_TIME,
          OpenFlag.PATH,
          OpenFlag.DIRECT);

  private OpenBits() {}

  /** Returns the flags of open(2), with O_CLOEXEC. */
  public static int of(Set<OpenFlag> flags, Platform platform) {
    int bits = CLOSE_ON_EXEC;
    for (OpenFlag flag : flags) {
      bits |= bit(flag, platform);
    }
    return bits;
  }

  private static int bit(OpenFlag flag, Platform platform) {
    return switch (flag) {
      case WRITE_ONLY -> 01;
      case READ_WRITE -> 02;
      case CREATE -> 0100;
      case EXCLUSIVE -> 0200;
      case TRUNCATE -> 01000;
      case UNNAMED -> 020000000 | platform.directory();
      case APPEND -> 02000;
      case NON_BLOCK -> 04000;
      case DATA_SYNC -> 010000;
      case NO_ACCESS_TIME -> 01000000;
      case PATH -> 010000000;
      case DIRECT -> platform.direct();
      case DIRECTORY -> platform.directory();
      case NO_FOLLOW -> platform.noFollow();
    };
  }

  /** Returns the flags that are set in a result of fcntl(2) with F_GETFL. */
  public static Set<OpenFlag> kept(int bits, Platform platform) {
    EnumSet<OpenFlag> flags = EnumSet.noneOf(OpenFlag.class);
    switch (bits & ACCESS_MODE) {
      case 1 -> flags.add(OpenFlag.WRITE_ONLY);
      case 2 -> flags.add(OpenFlag.READ_WRITE);
      default -> {}
    }
    for (OpenFlag flag : KEPT) {
      if ((bits & bit(flag, platform)) != 0) {
        flags.add(flag);
      }
    }
    return flags;
  }

  /**
   * Returns the mode for openat2(2), which, unlike open(2), refuses a mode if no file is created,
   * and bits outside 07777.
   */
  public static long strictMode(Set<OpenFlag> flags, int mode) {
    boolean creates = flags.contains(OpenFlag.CREATE) || flags.contains(OpenFlag.UNNAMED);
    return creates ? mode & MODE_BITS : 0;
  }

  /** Returns the RESOLVE_ bits of openat2(2). */
  public static long of(Set<ResolveFlag> flags) {
    long bits = 0;
    for (ResolveFlag flag : flags) {
      bits |=
          switch (flag) {
            case NO_CROSS_DEVICE -> 0x01;
            case NO_MAGIC_LINKS -> 0x02;
            case NO_SYMLINKS -> 0x04;
            case BENEATH -> 0x08;
            case IN_ROOT -> 0x10;
          };
    }
    return bits;
  }
}
