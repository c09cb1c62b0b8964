package dev.tailwater.cli;

import dev.tailwater.archive.age.KeyFormatException;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.outcome.UnwritableOutputException;
import dev.tailwater.delivery.checkpoint.ContentKeyFile;
import dev.tailwater.delivery.checkpoint.SigningKeyFile;
import dev.tailwater.delivery.thread.ThreadShortage;
import dev.tailwater.destination.BrokenPluginException;
import dev.tailwater.destination.DestinationException;
import dev.tailwater.destination.UnknownDestinationException;
import dev.tailwater.posix.ErrnoException;
import dev.tailwater.store.StoreException;
import dev.tailwater.store.StoreWriteException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;

/** Messages, hints and exit codes for the failures that the modules below throw. */
final class FailureText {
  /** Separates message and hint in the exceptions of some modules. */
  private static final String HINT = " Hint: ";

  private static final String KEY_HINT =
      "'chmod 600 FILE' if nobody else can have read the key; otherwise move the file away: the next"
          + " start makes a new key";

  private static final String KEY_FILE_HINT =
      "each line of a file of private keys begins with AGE-SECRET-KEY, of public keys with age1;"
          + " 'tailwater keygen -o FILE' makes a file of the first kind, and tells its public key";

  private FailureText() {}

  /** Returns the message, with the kind of failure if the message alone would not explain it. */
  static String message(Throwable e) {
    String text = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    int hint = text.indexOf(HINT);
    String plain = hint < 0 ? text : text.substring(0, hint);
    return switch (e) {
      case NoSuchFileException gone -> gone.getFile() + ": no such file or directory";
      case AccessDeniedException denied -> denied.getFile() + ": permission denied";
      case FileAlreadyExistsException there -> there.getFile() + " is there already";
      case FileSystemException file when file.getReason() != null ->
          file.getFile() + ": " + file.getReason();
      case KeyFormatException key -> plain;
      case UnknownDestinationException unknown -> unknown.reason();
      case BrokenPluginException plugin -> plugin.reason();
      case ErrnoException call -> ErrnoException.messageForUser(call);
      case IOException failure -> plain;
      case OutOfMemoryError threads when ThreadShortage.isMeant(threads) ->
          "a thread cannot be started: " + plain;
      default -> "unexpected " + e.getClass().getSimpleName() + ": " + plain;
    };
  }

  /** Returns what the user can do about it, if that is known. */
  static Optional<String> hint(Throwable e) {
    String text = String.valueOf(e.getMessage());
    int hint = text.indexOf(HINT);
    if (hint >= 0) {
      return Optional.of(text.substring(hint + HINT.length()));
    }
    return switch (e) {
      case DestinationException destination -> Optional.of(destination.finalHint());
      // That of the store is for a process that goes on.
      case StoreWriteException write when write.getCause() instanceof ErrnoException call ->
          ErrnoHints.hint(call.errno()).or(() -> Optional.of(write.hint()));
      case StoreException store -> Optional.of(store.hint());
      case ErrnoException call -> ErrnoHints.hint(call.errno());
      case UnwritableOutputException output -> Optional.of(UnwritableOutputException.HINT);
      case NoSuchFileException gone -> Optional.of("check the path");
      case AccessDeniedException denied ->
          Optional.of("check who may read or write it: ls -ld PATH");
      case FileSystemException file ->
          ErrnoHints.hint(String.valueOf(file.getReason()))
              .or(() -> Optional.of("check the path, and what is there: ls -ld PATH"));
      case SigningKeyFile.UnfitException key -> Optional.of(KEY_HINT);
      case ContentKeyFile.UnfitException key -> Optional.of(KEY_HINT);
      case KeyFormatException key -> Optional.of(KEY_FILE_HINT);
      case OutOfMemoryError threads when ThreadShortage.isMeant(threads) ->
          Optional.of(ThreadShortage.REMEDY);
      default -> Optional.empty();
    };
  }

  static ExitCode exitCode(Throwable e) {
    return switch (e) {
      case KeyFormatException key -> ExitCode.USAGE;
      case UnknownDestinationException unknown -> ExitCode.USAGE;
      case BrokenPluginException plugin -> ExitCode.USAGE;
      default -> ExitCode.FAILED;
    };
  }
}
