package dev.tailwater.lab.plot;

import java.awt.Dimension;
import java.awt.Graphics2D;
import java.io.IOException;
import java.io.StringWriter;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.apache.batik.svggen.SVGIDGenerator;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** A canvas whose SVG can be embedded several times in one page. */
final class SvgCanvas {
  private static final String SVG = "http://www.w3.org/2000/svg";

  private final SVGGraphics2D graphics;
  private final int width;
  private final int height;
  private final String id;

  SvgCanvas(int width, int height, String id) throws IOException {
    this.width = width;
    this.height = height;
    this.id = id;
    SVGGeneratorContext context = SVGGeneratorContext.createDefault(document());
    context.setComment("");
    context.setIDGenerator(
        new SVGIDGenerator() {
          @Override
          public String generateID(String prefix) {
            return id + "-" + super.generateID(prefix);
          }
        });
    this.graphics = new SVGGraphics2D(context, false);
    graphics.setSVGCanvasSize(new Dimension(width, height));
  }

  private static Document document() throws IOException {
    try {
      return DocumentBuilderFactory.newNSInstance()
          .newDocumentBuilder()
          .getDOMImplementation()
          .createDocument(SVG, "svg", null);
    } catch (ParserConfigurationException e) {
      throw new IOException("no plot can be drawn: " + e.getMessage(), e);
    }
  }

  Graphics2D graphics() {
    return graphics;
  }

  /**
   * Returns the SVG of the drawing.
   *
   * @param title for users who do not see it
   * @param description a longer title
   */
  String text(String title, String description) throws IOException {
    Element root = graphics.getRoot();
    root.removeAttribute("width");
    root.removeAttribute("height");
    root.setAttribute("viewBox", "0 0 " + width + " " + height);
    root.setAttribute("role", "img");
    root.setAttribute("aria-labelledby", id + "-title " + id + "-description");
    root.insertBefore(element(root, "desc", description), root.getFirstChild());
    root.insertBefore(element(root, "title", title), root.getFirstChild());
    StringWriter writer = new StringWriter();
    graphics.stream(root, writer, false, false);
    String text = writer.toString();
    String svg = text.substring(text.indexOf("<svg")).strip();
    // Replaces characters that no XML may contain, even escaped. Removes the fonts, since the page
    // sets them, and the id that the library gives to every drawing.
    return Palette.withVariables(svg)
        .replaceAll("[\\x00-\\x08\\x0B\\x0C\\x0E-\\x1F\\uFFFE\\uFFFF]", "\uFFFD")
        .replaceAll("\\n\\s*(/?>)", "$1")
        .replaceAll("\\s*font-family=\"[^\"]*\"", "")
        .replaceAll("\\s*id=\"genericDefs\"", "");
  }

  private Element element(Element root, String name, String text) {
    Element element = root.getOwnerDocument().createElementNS(SVG, name);
    element.setAttribute("id", id + "-" + name.replace("desc", "description"));
    element.setTextContent(text);
    return element;
  }
}
