package dev.tailwater.lab.report;

import com.samskivert.mustache.Mustache;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The pages' templates, which escape the values that they insert. */
final class Templates {
  private Templates() {}

  static String fill(String template, Object view) throws IOException {
    return Mustache.compiler()
        .escapeHTML(true)
        .emptyStringIsFalse(true)
        .compile(resource(template))
        .execute(view);
  }

  /** Returns the style sheet of all pages. */
  static String css() throws IOException {
    return resource("report.css");
  }

  private static String resource(String name) throws IOException {
    try (@Nullable InputStream in = Templates.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new FileNotFoundException(name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
