package dev.tailwater.cli.config;

import dev.tailwater.delivery.command.UserCommand;
import dev.tailwater.delivery.hook.HookMoment;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The settings for the end of the machine.
 *
 * @param sources who is asked; empty: the cloud that this is
 * @param hooks what is run then
 */
public record NoticeSettings(List<NoticeSetting> sources, Map<HookMoment, UserCommand> hooks) {
  /** The default: the cloud that the machine runs in, and no hooks. */
  public static final NoticeSettings STANDARD = new NoticeSettings(List.of(), Map.of());

  public NoticeSettings {
    sources = List.copyOf(sources);
    hooks = Map.copyOf(hooks);
    boolean off = sources.stream().anyMatch(NoticeSetting.Off.class::isInstance);
    if (off && sources.size() > 1) {
      throw new IllegalArgumentException("expected 'off' alone, or who is to be asked");
    }
  }

  /** Returns the same without sources. */
  NoticeSettings withoutSources() {
    return new NoticeSettings(List.of(), hooks);
  }

  NoticeSettings with(NoticeSetting source) {
    List<NoticeSetting> more = new ArrayList<>(sources);
    if (!more.contains(source)) {
      more.add(source);
    }
    return new NoticeSettings(more, hooks);
  }

  NoticeSettings with(HookMoment moment, UserCommand command) {
    Map<HookMoment, UserCommand> more = new EnumMap<>(HookMoment.class);
    more.putAll(hooks);
    more.put(moment, command);
    return new NoticeSettings(sources, more);
  }
}
