package dev.tailwater.cli.command.agent;

import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.store.StoreException;
import dev.tailwater.store.StoreLockedException;
import dev.tailwater.store.files.DirectoryLock;
import dev.tailwater.store.files.StoreDirectory;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** Reasons why nobody answers on a state directory, other than that no agent runs. */
final class StateAccess {
  private StateAccess() {}

  /** Fails if this user cannot see what is in the directory. */
  static void requireOpen(Path directory) {
    try {
      // The dot needs the permission to enter the directory itself.
      var _ = Files.readAttributes(directory.resolve("."), BasicFileAttributes.class);
    } catch (AccessDeniedException e) {
      throw UserException.failed(
          "this user may not enter the state directory " + directory,
          "ask as the user of the agent, or as root: sudo tailwater status --state " + directory);
    } catch (IOException e) {
      // There is none, or it cannot be read for a reason that reading it will give.
      return;
    }
  }

  /** Fails if a process has the state. */
  static void requireUnused(Path directory) {
    try (StoreDirectory state =
        StoreDirectory.openExisting(LinuxFileCalls.create(), PosixPath.of(directory))) {
      DirectoryLock.checkFree(state);
    } catch (StoreLockedException e) {
      throw inUse(directory, e);
    } catch (StoreException | ErrnoException e) {
      return; // Without a state there is no agent.
    }
  }

  /** The failure where a process has the state, and no agent answers. */
  static UserException inUse(Path directory, StoreLockedException locked) {
    String process =
        locked.holderPid().isPresent()
            ? "process " + locked.holderPid().getAsLong()
            : "another process";
    return UserException.failed(
        process
            + " uses "
            + directory
            + " and does not answer yet: an agent that is starting or ending, or a 'ship --once'",
        "ask again later; the log of that process says what it waits for");
  }
}
