import type { Config } from '../../config.ts';
import { noticesOf } from '../../domain/notice/notices.ts';
import type { Consequences } from '../../kernel/deployment/services.ts';
import { sendersOf } from '../../providers/messages/index.ts';
import { queueNotices } from '../../queries/message-claims.ts';
import { type TemplateMedium, templateMedia } from '../../schema/lists.ts';
import { sendNow } from './sending.ts';

export const mediaOf = (config: Config): TemplateMedium[] =>
  templateMedia.filter((medium) => sendersOf(config)[medium] !== undefined);

/** Queues the messages of events, and sends them as soon as they are committed. */
export const messaging: Consequences = {
  of: (config) => {
    const media = mediaOf(config);
    if (media.length === 0) return async () => undefined;
    return async (events, now) => queueNotices(noticesOf(events), media, now);
  },
  follow: sendNow,
};
