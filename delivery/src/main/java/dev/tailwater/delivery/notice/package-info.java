/**
 * Notices that this machine is about to be taken away, or may be.
 *
 * <p>Clouds' metadata servers, and files, commands and endpoints of the user's, are each polled by
 * a small {@link dev.tailwater.delivery.notice.NoticeSource}; the result is what is known now
 * ({@link dev.tailwater.delivery.notice.NoticeForecast}), with deadlines on the monotonic clock.
 * The command line starts {@link dev.tailwater.delivery.notice.Notices} beside an agent and acts on
 * what it hears; nothing here knows of agents.
 */
@NullMarked
package dev.tailwater.delivery.notice;

import org.jspecify.annotations.NullMarked;
