package dev.tailwater.io;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.NameCalls;
import dev.tailwater.posix.PosixPath;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The names and ids of passwd(5) or group(5). Other services of names, such as LDAP, are not asked:
 * an answer may take long. Immutable.
 */
public final class AccountTable {
  public static final PosixPath USERS = PosixPath.of("/etc/passwd");
  public static final PosixPath GROUPS = PosixPath.of("/etc/group");

  /** A longer table is not read. */
  private static final long MAX_BYTES = 16 << 20;

  private static final int NAME_FIELD = 0;
  private static final int ID_FIELD = 2;
  private static final String ID = "[0-9]{1,10}";

  private final Map<Long, String> names = new HashMap<>();
  private final Map<String, Long> ids = new HashMap<>();

  private AccountTable() {}

  /** Returns a table without accounts. */
  public static AccountTable empty() {
    return new AccountTable();
  }

  /** Reads the names of a table; of several of one id, or one name, the first counts. */
  public static AccountTable parse(byte[] content) {
    AccountTable table = new AccountTable();
    for (String line : new String(content, UTF_8).split("\n", -1)) {
      String[] fields = line.split(":", ID_FIELD + 2);
      boolean named = fields.length > ID_FIELD && !fields[NAME_FIELD].isEmpty();
      if (named && fields[ID_FIELD].matches(ID)) {
        long id = Long.parseLong(fields[ID_FIELD]);
        table.names.putIfAbsent(id, fields[NAME_FIELD]);
        table.ids.putIfAbsent(fields[NAME_FIELD], id);
      }
    }
    return table;
  }

  /**
   * Reads a table.
   *
   * @throws IOException when it cannot be read, or is no regular file, or has more than 16 MiB
   */
  public static AccountTable read(FileCalls calls, PosixPath path) throws IOException {
    try (Descriptor file = Descriptor.openRegularFile(calls, NameCalls.AT_FDCWD, path, Set.of());
        Arena arena = Arena.ofConfined()) {
      long size = calls.fstat(file.fd()).sizeBytes();
      if (size > MAX_BYTES) {
        throw new IOException(path + " has " + size + " bytes, more than " + MAX_BYTES);
      }
      MemorySegment buffer = arena.allocate(size);
      return parse(read(calls, file, buffer).toArray(ValueLayout.JAVA_BYTE));
    }
  }

  private static MemorySegment read(FileCalls calls, Descriptor file, MemorySegment buffer)
      throws ErrnoException {
    long filled = 0;
    while (filled < buffer.byteSize()) {
      int read = calls.pread(file.fd(), buffer.asSlice(filled), filled);
      if (read <= 0) {
        break; // It became shorter.
      }
      filled += read;
    }
    return buffer.asSlice(0, filled);
  }

  /** Returns the name of an id. */
  public Optional<String> name(long id) {
    return Optional.ofNullable(names.get(id));
  }

  /** Returns the id of a name. */
  public OptionalLong id(String name) {
    Long id = ids.get(name);
    return id == null ? OptionalLong.empty() : OptionalLong.of(id);
  }
}
