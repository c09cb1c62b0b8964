package dev.tailwater.delivery.watch;

import dev.tailwater.delivery.keeper.TailKeeper;
import dev.tailwater.delivery.open.EarlyOpens;
import dev.tailwater.delivery.open.FileIntake;
import dev.tailwater.delivery.open.TailOpener;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.value.FileStatus;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Takes in each file that was found at a name: to memory, or beside it if it is unchanged. */
final class FoundFiles implements FileIntake {
  private final FileRegistry registry;
  private final List<TailKeeper> keepers;
  private final FilesInMemory memory;
  private final NamedFiles files;
  private final EarlyOpens early;
  private final Consumer<PosixPath> unbind;
  private final Consumer<PosixPath> forget;

  /** Whether files may be opened now of which no events were told yet. */
  private BooleanSupplier isBehind = () -> false;

  private boolean isFirstScan = true;

  /**
   * Creates the intake of one watch.
   *
   * @param unbind takes a name away from the file that had it
   * @param forget also forgets what is known of the name
   */
  FoundFiles(
      ObserverContext context,
      FilesInMemory memory,
      NamedFiles files,
      EarlyOpens early,
      Consumer<PosixPath> unbind,
      Consumer<PosixPath> forget) {
    this.registry = context.registry();
    this.keepers = context.keepers();
    this.memory = memory;
    this.files = files;
    this.early = early;
    this.unbind = unbind;
    this.forget = forget;
  }

  /**
   * Begins to apply the changes of a look.
   *
   * @param isBehind whether there are events now that were not told early yet
   */
  void beginLook(BooleanSupplier isBehind) {
    this.isBehind = isBehind;
  }

  /** Notes that the first scan is complete: what is found from now on is new, or has changed. */
  void firstScanDone() {
    isFirstScan = false;
  }

  /** Returns whether the first scan is not complete. */
  boolean isFirstScan() {
    return isFirstScan;
  }

  @Override
  public boolean opened(PosixPath path, TailOpener.Opened opened) throws IOException {
    memory.recallBefore(path, opened);
    boolean isAhead = isAhead(opened.identity());
    early.openedByWatch(path, opened.identity(), opened.status().links(), isAhead);
    if (files.leavesOut(path, opened)) {
      return false;
    }
    if (!isFirstScan || !memory.takeUnchanged(path, opened)) {
      files.opened(path, opened, isFirstScan);
    }
    return true;
  }

  @Override
  public boolean openedEarly(PosixPath path, TailOpener.Opened opened) throws IOException {
    return files.openedEarly(path, opened, isFirstScan);
  }

  @Override
  public boolean takesInPassing() {
    boolean takes = isFirstScan;
    for (TailKeeper keeper : keepers) {
      takes = takes && keeper.start().mayHavePresent();
    }
    return takes;
  }

  @Override
  public boolean seen(PosixPath path, TailOpener.Seen seen) throws IOException {
    Optional<FileIdentity> identity =
        keepers.getFirst().start().likelyIdentity(seen.status(), seen.fileSystemId());
    return identity.isPresent() && takeClosed(path, FoundFile.of(identity.get(), seen));
  }

  @Override
  public boolean openedInPassing(PosixPath path, TailOpener.Opened opened) throws IOException {
    return takeClosed(path, FoundFile.of(opened));
  }

  private boolean takeClosed(PosixPath path, FoundFile file) throws IOException {
    boolean isAhead = isAhead(file.identity());
    if (!memory.takeUnchangedClosed(path, file)) {
      return false;
    }
    early.openedByWatch(path, file.identity(), file.status().links(), isAhead);
    return true;
  }

  /** Returns whether a file may be one of which no event was told yet. */
  private boolean isAhead(FileIdentity identity) {
    return registry.find(identity).isEmpty() && isBehind.getAsBoolean();
  }

  @Override
  public boolean mayBeOpen(FileStatus seen) {
    return registry.hasOpen(seen.inode());
  }

  @Override
  public boolean isOpen(FileIdentity identity) {
    return registry.find(identity).filter(WatchedFile::isOpen).isPresent();
  }

  @Override
  public boolean named(PosixPath path, FileIdentity identity) throws IOException {
    return files.found(path, identity);
  }

  @Override
  public void leftOut(PosixPath path) {
    unbind.accept(path);
  }

  @Override
  public void gone(PosixPath path) {
    forget.accept(path);
  }
}
