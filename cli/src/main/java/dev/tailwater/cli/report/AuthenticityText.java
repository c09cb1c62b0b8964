package dev.tailwater.cli.report;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.tailwater.cli.outcome.ExitCode;
import dev.tailwater.cli.value.Printable;
import dev.tailwater.restore.Authenticity;
import java.io.IOException;
import java.io.PrintStream;

/** What was found out about the signatures of an archive. */
public final class AuthenticityText {
  /** The most objects that are named; JSON has more. */
  private static final int MAX_LINES = 20;

  private final Authenticity authenticity;

  public AuthenticityText(Authenticity authenticity) {
    this.authenticity = authenticity;
  }

  /** Returns what a command exits with that would exit with {@code otherwise}. */
  public int exitCode(int otherwise) {
    boolean doubtful = otherwise == ExitCode.DONE.number() && !authenticity.findings().isClean();
    return doubtful ? ExitCode.PARTIAL.number() : otherwise;
  }

  /** Prints the same, or nothing where nothing was checked because nothing could be opened. */
  public void print(PrintStream err, boolean opened) {
    if (opened || authenticity.isChecked()) {
      print(err);
    }
  }

  /** Prints what is not authentic; where nothing was checked, says so. */
  public void print(PrintStream err) {
    if (!authenticity.isChecked()) {
      err.println("authenticity was not checked: --trust KEY says whose signatures count");
      return;
    }
    authenticity.notes().stream()
        .limit(MAX_LINES)
        .forEach(note -> err.println(Printable.line(note)));
    Authenticity.Findings findings = authenticity.findings();
    findings
        .firstUnsigned()
        .ifPresent(
            first ->
                err.println(
                    "tailwater: "
                        + findings.unsignedCount()
                        + (findings.unsignedCount() == 1
                            ? " object is not signed: "
                            : " objects are not signed, and not taken; one is ")
                        + Printable.line(first)));
    findings.refused().stream()
        .limit(MAX_LINES)
        .forEach(refused -> err.println("tailwater: " + Printable.line(refused.why())));
    if (findings.refusedCount() > MAX_LINES) {
      err.println("tailwater: and " + (findings.refusedCount() - MAX_LINES) + " more");
    }
    findings.incomplete().stream()
        .limit(MAX_LINES)
        .forEach(what -> err.println("tailwater: " + Printable.line(what)));
    if (findings.incomplete().size() > MAX_LINES) {
      err.println("tailwater: and " + (findings.incomplete().size() - MAX_LINES) + " more");
    }
  }

  /** Writes {@code authenticity}. */
  public void write(JsonGenerator json) throws IOException {
    Authenticity.Findings findings = authenticity.findings();
    json.writeObjectFieldStart("authenticity");
    json.writeBooleanField("checked", authenticity.isChecked());
    if (authenticity.isChecked()) {
      json.writeNumberField("unsignedObjects", findings.unsignedCount());
      json.writeNumberField("refusedObjects", findings.refusedCount());
      json.writeArrayFieldStart("refused");
      for (Authenticity.Refused refused : findings.refused()) {
        json.writeStartObject();
        json.writeStringField("object", refused.key());
        json.writeStringField("why", refused.why());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeArrayFieldStart("notes");
      for (String note : authenticity.notes()) {
        json.writeString(note);
      }
      json.writeEndArray();
      json.writeArrayFieldStart("incomplete");
      for (String what : findings.incomplete()) {
        json.writeString(what);
      }
      json.writeEndArray();
    }
    json.writeEndObject();
  }
}
