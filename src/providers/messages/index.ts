import type { Config } from '../../config.ts';
import type { MessageMedium } from '../../schema/lists.ts';
import type { Sender } from './sender.ts';

/** Who sends the messages of each medium; a medium that nobody was set up for has none. */
export type Senders = Readonly<Partial<Record<MessageMedium, Sender>>>;

/**
 * The senders of a deployment.
 * @throws Error naming what one lacks that is set up in part, or two that are set up for one medium
 */
export function sendersOf(_: Config): Senders {
  return {};
}
