package dev.tailwater.cli.command.ship;

import dev.tailwater.cli.config.ShipKey;
import dev.tailwater.cli.config.ShipSettings;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.TypeConversionException;

/**
 * The options of {@code ship}, made from the table of keys so that they match the configuration
 * file.
 */
public final class ShipOptions {
  private ShipOptions() {}

  /** Adds an option for each key. */
  public static CommandLine addTo(CommandLine ship) {
    for (ShipKey key : ShipKey.values()) {
      if (key != ShipKey.DESTINATION) {
        ship.getCommandSpec().addOption(option(key));
      }
    }
    return ship;
  }

  /** Sets in {@code settings} what was given on the command line. */
  static void apply(CommandLine ship, ShipSettings.Builder settings) {
    for (ShipKey key : ShipKey.values()) {
      if (ship.getParseResult().hasMatchedOption(key.option())) {
        if (key == ShipKey.NOTICES) {
          settings.forgetNotices(); // Those of the file: 'off' here must mean off.
        }
        OptionSpec option = ship.getParseResult().matchedOption(key.option());
        option.originalStringValues().forEach(text -> settings.set(key, text));
      }
    }
  }

  private static OptionSpec option(ShipKey key) {
    OptionSpec.Builder option =
        OptionSpec.builder(key.option())
            .paramLabel(key.placeholder())
            .description(description(key).replace("%", "%%"));
    ITypeConverter<String> check = text -> checked(key, text);
    if (key.isList()) {
      return option
          .arity("1")
          .type(List.class)
          .auxiliaryTypes(String.class)
          .converters(check)
          .build();
    }
    return option.arity("1").type(String.class).converters(check).build();
  }

  private static String description(ShipKey key) {
    return key.meaning() + " Default: " + key.standardForPeople() + ".";
  }

  private static String checked(ShipKey key, String text) {
    try {
      new ShipSettings.Builder().set(key, text);
      return text;
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
