package dev.tailwater.cli.host;

import dev.tailwater.archive.age.Recipient;
import dev.tailwater.archive.age.RecipientFile;
import dev.tailwater.cli.outcome.UserException;
import dev.tailwater.cli.value.Printable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;

/** Public keys as a user names them. */
public final class RecipientTexts {
  private RecipientTexts() {}

  /**
   * Reads public keys.
   *
   * @param setting where the texts come from, for messages
   * @param texts keys, or files of keys
   */
  public static List<Recipient> read(
      String setting, List<String> texts, Surroundings surroundings) {
    List<Recipient> recipients = new ArrayList<>();
    for (String text : texts) {
      try {
        if (Recipient.isMeant(text)) {
          recipients.add(Recipient.parse(text));
        } else {
          recipients.addAll(RecipientFile.read(surroundings.absolute(text)));
        }
      } catch (NoSuchFileException e) {
        throw UserException.usage(
            setting + " " + text + ": neither a public key (age1...) nor a file",
            "'tailwater keygen' makes a key pair");
      } catch (IOException e) {
        throw UserException.usage(
            setting + " " + text + " cannot be read: " + Printable.reason(e),
            "name a file with a public key (age1...) on each line, or the key itself");
      }
    }
    return recipients;
  }
}
