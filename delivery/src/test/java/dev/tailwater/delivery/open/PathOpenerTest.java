package dev.tailwater.delivery.open;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tailwater.delivery.problem.Problems;
import dev.tailwater.delivery.problem.UnheardProblems;
import dev.tailwater.delivery.room.DescriptorShortage;
import dev.tailwater.delivery.room.OpenFiles;
import dev.tailwater.delivery.room.RoomShortage;
import dev.tailwater.delivery.tail.ArchivedNames;
import dev.tailwater.delivery.tail.WatchedFile;
import dev.tailwater.io.FileIdentity;
import dev.tailwater.posix.Errno;
import dev.tailwater.posix.FileCalls;
import dev.tailwater.posix.PosixPath;
import dev.tailwater.posix.linux.LinuxFileCalls;
import dev.tailwater.posix.testkit.Call;
import dev.tailwater.posix.testkit.Fault;
import dev.tailwater.posix.testkit.FaultyFileCalls;
import dev.tailwater.posix.value.FileStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of the new name of a file that is open, where no more files may be open. */
class PathOpenerTest {
  private static final FileCalls REAL = LinuxFileCalls.create();
  private static final long OWNER = 0;

  /** The call that opens a file, and that without which nobody can look at it. */
  private static final String OPENS = "open";

  private static final String LOOKS = "openBeneath";

  private final List<PosixPath> taken = new ArrayList<>();
  private final FaultyFileCalls calls = FaultyFileCalls.wrap(REAL, this::decide);
  private final Problems problems = new Problems(new UnheardProblems(), System::currentTimeMillis);
  private String failing = "";
  private Errno failure = Errno.OTHER;
  private Runnable before = () -> {};
  private Path logs;
  private Path file;
  private WatchedFile open;
  private PathOpener opener;

  /** Knows one open file. */
  private final class Intake implements FileIntake {
    @Override
    public boolean opened(PosixPath path, TailOpener.Opened opened) throws IOException {
      taken.add(path);
      opened.descriptor().close();
      return true;
    }

    @Override
    public boolean mayBeOpen(FileStatus seen) {
      return seen.inode() == open.identity().inode();
    }

    @Override
    public boolean isOpen(FileIdentity identity) {
      return identity.equals(open.identity());
    }

    @Override
    public boolean openedEarly(PosixPath path, TailOpener.Opened opened) {
      throw new AssertionError("nothing is opened early");
    }

    @Override
    public boolean takesInPassing() {
      return false;
    }

    @Override
    public boolean seen(PosixPath path, TailOpener.Seen seen) {
      throw new AssertionError("nothing is taken in passing");
    }

    @Override
    public boolean openedInPassing(PosixPath path, TailOpener.Opened opened) {
      throw new AssertionError("nothing is taken in passing");
    }

    @Override
    public boolean named(PosixPath path, FileIdentity identity) {
      return true;
    }

    @Override
    public void leftOut(PosixPath path) {}

    @Override
    public void gone(PosixPath path) {}
  }

  private Fault decide(Call call) {
    if (call.is(OPENS)) {
      before.run();
    }
    return call.is(failing) ? new Fault.Fail(failure) : Fault.PROCEED;
  }

  @BeforeEach
  void openTheOnlyFileThatMayBeOpen(@TempDir Path base) throws Exception {
    logs = Files.createDirectory(base.toRealPath().resolve("logs"));
    file = Files.writeString(logs.resolve("a.log"), "a line\n");
    PosixPath root = PosixPath.of(logs);
    TailOpener files = new TailOpener(calls.calls(), false, List.of(root));
    OpenFiles openFiles =
        new OpenFiles(calls.calls(), 1, 10, List.of(root), _ -> OptionalLong.of(OWNER));
    opener =
        new PathOpener(
            files,
            openFiles,
            _ -> false,
            new RoomShortage(problems, 1, 10, true, System::nanoTime),
            new Intake(),
            problems);
    TailOpener.Opened opened = files.open(PosixPath.of(file)).orElseThrow();
    open =
        new WatchedFile(
            opened.descriptor(),
            PosixPath.of(file),
            opened.identity(),
            new ArchivedNames(List.of()),
            _ -> {});
    openFiles.opened(PosixPath.of(file), OWNER, open);
  }

  @AfterEach
  void nothingStaysOpen() throws Exception {
    opener.endBatch();
    open.giveUpDescriptor();
    assertEquals(List.of(), calls.openDescriptors());
  }

  private PosixPath renamed() throws IOException {
    return PosixPath.of(Files.move(file, logs.resolve("renamed.log")));
  }

  private boolean isReported(String subject) {
    return problems.open().stream().anyMatch(problem -> problem.subject().equals(subject));
  }

  @Test
  void itIsTakenThoughThereIsNoRoom() throws Exception {
    PosixPath name = renamed();
    opener.open(name);
    assertEquals(List.of(name), taken);
    assertFalse(opener.isPending(name));
  }

  @Test
  void anotherFileWaits() throws Exception {
    PosixPath other = PosixPath.of(Files.writeString(logs.resolve("b.log"), "another\n"));
    opener.open(other);
    assertEquals(List.of(), taken);
    assertTrue(opener.hasAwaited());
    assertTrue(isReported(DescriptorShortage.SUBJECT));
  }

  @ParameterizedTest
  @EnumSource(
      value = Errno.class,
      names = {"EMFILE", "ENFILE", "EACCES", "EIO"})
  void itIsTriedAgainWhereItCannotBeOpened(Errno errno) throws Exception {
    failsOnce(OPENS, errno);
  }

  @ParameterizedTest
  @EnumSource(
      value = Errno.class,
      names = {"EMFILE", "ENFILE", "EACCES", "EIO"})
  void itIsTriedAgainWhereItCannotBeLookedAt(Errno errno) throws Exception {
    failsOnce(LOOKS, errno);
  }

  /** The file stays open, so that there is no room for another one. */
  private void failsOnce(String fails, Errno errno) throws Exception {
    opener.endBatch();
    PosixPath name = renamed();
    failing = fails;
    failure = errno;
    opener.open(name);
    assertEquals(List.of(), taken);
    assertTrue(opener.isUnopened(name));
    boolean isShortage = errno == Errno.EMFILE || errno == Errno.ENFILE;
    assertTrue(isReported(isShortage ? DescriptorShortage.SUBJECT : name.toString()));
    failing = "";
    opener.retryUnopened();
    assertEquals(List.of(name), taken);
    assertFalse(opener.isPending(name));
  }

  @Test
  void aNameThatGoesBeforeItIsOpenedIsForgottenWhenTheWatchSaysSo() throws Exception {
    PosixPath name = renamed();
    before = () -> move(name.toPath(), logs.resolve("renamed again.log"));
    opener.open(name);
    assertEquals(List.of(), taken);
    assertTrue(opener.isPending(name));
    opener.forget(name);
    assertFalse(opener.isPending(name));
    before = () -> {};
    opener.open(PosixPath.of(logs.resolve("renamed again.log")));
    assertEquals(List.of(PosixPath.of(logs.resolve("renamed again.log"))), taken);
  }

  @Test
  void anotherFileThatHasTheNameWhenItIsOpenedWaits() throws Exception {
    PosixPath name = renamed();
    Path other = Files.writeString(logs.resolve("other"), "another\n");
    Path away = logs.resolve("away.log");
    before =
        () -> {
          if (Files.notExists(away)) {
            move(name.toPath(), away);
            move(other, name.toPath());
          }
        };
    opener.open(name);
    assertEquals(List.of(), taken);
    assertTrue(opener.hasAwaited());
    assertTrue(opener.isPending(name));
  }

  @Test
  void itDoesNotWaitBehindOthers() throws Exception {
    opener.open(PosixPath.of(Files.writeString(logs.resolve("b.log"), "another\n")));
    PosixPath name = renamed();
    opener.open(name);
    assertEquals(List.of(name), taken);
    assertTrue(opener.hasAwaited());
  }

  @Test
  void aNameAtWhichAnotherFileHasWaitedIsTriedAgainOnly() throws Exception {
    PosixPath name = PosixPath.of(Files.writeString(logs.resolve("b.log"), "another\n"));
    opener.open(name);
    move(file, name.toPath());
    failing = OPENS;
    failure = Errno.EACCES;
    opener.open(name);
    assertTrue(opener.isUnopened(name));
    assertFalse(opener.hasAwaited());
  }

  private static void move(Path from, Path to) {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
