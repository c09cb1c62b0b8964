package dev.tailwater.destination.azure;

import dev.tailwater.destination.cloud.ListPage;
import dev.tailwater.destination.cloud.http.ErrorAnswer;
import dev.tailwater.destination.cloud.http.HttpAnswer;
import java.io.StringReader;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** The XML of answers, which is input: no entities, and what is missing or odd is a failure. */
final class AzureXml {
  private AzureXml() {}

  /**
   * Reads a page of a listing. The service ends each with {@code NextMarker}, which is empty on the
   * last one; without it, nobody has said that the listing is complete.
   */
  static ListPage page(HttpAnswer answer) {
    List<ListPage.Item> items = new ArrayList<>();
    Optional<String> marker = Optional.empty();
    Optional<String> root = Optional.empty();
    boolean hasItems = false;
    boolean isEnded = false;
    try {
      XMLStreamReader xml = reader(answer.text());
      while (xml.hasNext()) {
        if (xml.next() == XMLStreamConstants.START_ELEMENT) {
          String name = xml.getLocalName();
          root = root.or(() -> Optional.of(name));
          switch (name) {
            case "Blobs" -> hasItems = true;
            case "Blob" -> item(xml).ifPresent(items::add);
            case "NextMarker" -> {
              isEnded = true;
              marker = Optional.of(xml.getElementText()).filter(text -> !text.isEmpty());
            }
            default -> {}
          }
        }
      }
    } catch (XMLStreamException | RuntimeException e) {
      throw answer.unexpected("is not a list in XML");
    }
    if (root.filter("EnumerationResults"::equals).isEmpty() || !hasItems) {
      throw answer.unexpected("is not a list");
    }
    if (!isEnded) {
      throw answer.unexpected("does not say whether the list is complete");
    }
    return new ListPage(items, marker.isPresent(), marker);
  }

  /** Reads an object; empty for a directory of an account with a hierarchical namespace. */
  private static Optional<ListPage.Item> item(XMLStreamReader xml) throws XMLStreamException {
    Optional<String> name = Optional.empty();
    OptionalLong sizeBytes = OptionalLong.empty();
    long modifiedMillis = 0;
    boolean directory = false;
    while (true) {
      int event = xml.next();
      if (event == XMLStreamConstants.END_ELEMENT && xml.getLocalName().equals("Blob")) {
        return directory
            ? Optional.empty()
            : Optional.of(new ListPage.Item(name, sizeBytes, modifiedMillis));
      }
      if (event == XMLStreamConstants.START_ELEMENT) {
        switch (xml.getLocalName()) {
          case "Name" -> {
            // XML 1.0 cannot represent every character that a name may have.
            boolean encoded = "true".equals(xml.getAttributeValue(null, "Encoded"));
            String text = xml.getElementText();
            name =
                Optional.of(
                    encoded
                        ? URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8)
                        : text);
          }
          case "Content-Length" -> sizeBytes = size(xml.getElementText());
          case "Last-Modified" -> modifiedMillis = millis(xml.getElementText());
          case "ResourceType" -> directory = xml.getElementText().equals("directory");
          default -> {}
        }
      }
    }
  }

  private static OptionalLong size(String text) {
    return text.matches("\\d{1,18}") ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
  }

  private static long millis(String text) {
    try {
      return ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
          .toInstant()
          .toEpochMilli();
    } catch (DateTimeException | ArithmeticException e) {
      return 0;
    }
  }

  /**
   * Returns what a refusal says: its code is in a header, which a proxy's refusal does not have.
   */
  static ErrorAnswer error(HttpAnswer answer) {
    String code = answer.header("x-ms-error-code").orElse("");
    String message = "";
    try {
      XMLStreamReader xml = reader(answer.text());
      while (xml.hasNext()) {
        if (xml.next() == XMLStreamConstants.START_ELEMENT) {
          switch (xml.getLocalName()) {
            case "Code" -> code = code.isEmpty() ? xml.getElementText() : code;
            case "Message" -> message = xml.getElementText();
            default -> {}
          }
        }
      }
    } catch (XMLStreamException | RuntimeException e) {
      // Reported without the rest.
    }
    return new ErrorAnswer(
        answer.status(), code, message, answer.header("x-ms-request-id").orElse(""));
  }

  private static XMLStreamReader reader(String text) throws XMLStreamException {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_COALESCING, true);
    String body = text.startsWith("\uFEFF") ? text.substring(1) : text;
    return factory.createXMLStreamReader(new StringReader(body));
  }
}
