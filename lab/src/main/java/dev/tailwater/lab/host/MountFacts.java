package dev.tailwater.lab.host;

import dev.tailwater.io.mount.MountInfo;
import dev.tailwater.lab.result.HostFacts;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import dev.tailwater.posix.value.OpenFlag;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The mount that is measured, without the names of servers, users and paths, because {@link
 * HostFacts} are meant to be shared.
 */
record MountFacts(SystemFiles files, FileCalls calls) {
  /** Options whose values are plain words that reveal neither users nor places. */
  private static final Set<String> WORDED =
      Set.of(
          "sec",
          "proto",
          "data",
          "errors",
          "local_lock",
          "lookupcache",
          "compress",
          "cache",
          "xprtsec",
          "iocharset");

  private static final Pattern WORD = Pattern.compile("[a-z0-9_:+-]+");
  private static final Pattern NUMBER = Pattern.compile("\\d+(\\.\\d+)?[kKmMgG%]?");

  void addTo(FactList facts, PosixPath directory) throws ErrnoException {
    int fd = calls.open(FileCalls.AT_FDCWD, directory, Set.of(OpenFlag.PATH), 0);
    try {
      MountInfo mount = MountInfo.of(calls, fd);
      facts.add("file system", mount.fileSystemType());
      facts.add("block size", mount.blockSizeBytes() + " bytes");
      facts.add("mount options", options(mount.options()));
      facts.add("free space", MemoryFacts.size(calls.statfs(fd).availableBytes()));
      facts.add("device", device(mount.source(), calls.fstat(fd)));
    } finally {
      calls.close(fd);
    }
  }

  static String options(List<String> options) {
    return options.stream().filter(MountFacts::isNameless).collect(Collectors.joining(","));
  }

  private static boolean isNameless(String option) {
    int equals = option.indexOf('=');
    if (equals < 0) {
      return WORD.matcher(option).matches();
    }
    String value = option.substring(equals + 1);
    return NUMBER.matcher(value).matches()
        || (WORDED.contains(option.substring(0, equals)) && WORD.matcher(value).matches());
  }

  private Optional<String> device(String source, FileStatus status) {
    if (!source.startsWith("/dev/")) {
      return Optional.empty();
    }
    long major = status.device() >>> 32;
    long minor = status.device() & 0xFFFF_FFFFL;
    String block = "sys/dev/block/" + major + ":" + minor + "/";
    // A partition has neither file; the directory above is that of its disk.
    String disk = files.exists(block + "queue") ? block : block + "../";
    String name = source.substring("/dev/".length());
    // People choose the names of volumes, often after the host.
    StringBuilder text = new StringBuilder(name.contains("/") ? "a logical volume" : name);
    files.text(disk + "device/model").ifPresent(model -> text.append(", ").append(model));
    files
        .text(disk + "queue/rotational")
        .ifPresent(turns -> text.append(turns.equals("1") ? ", rotational" : ", solid state"));
    files.chosen(disk + "queue/scheduler").ifPresent(s -> text.append(", scheduler ").append(s));
    return Optional.of(text.toString());
  }
}
