package dev.tailwater.archive.age;

import com.exceptionfactory.jagged.RecipientStanza;
import java.util.List;

/** A recipient stanza of an age header: {@code -> type arguments}, then the body. */
public record AgeStanza(
    String type, List<String> arguments, @SuppressWarnings("ArrayRecordComponent") byte[] body)
    implements RecipientStanza {
  static final String X25519 = "X25519";

  @Override
  public String getType() {
    return type;
  }

  @Override
  public List<String> getArguments() {
    return arguments;
  }

  @Override
  public byte[] getBody() {
    return body;
  }
}
