import type { Authority } from '../../kernel/auth/principals.ts';
import { derivedCode, derivedToken } from '../../kernel/auth/secret-token.ts';
import type { Config } from '../../config.ts';
import { marks } from '../../domain/message/texts/sign-in.ts';
import type { MessageContent } from '../../schema/message-content.ts';
import type { MessageRow } from '../../schema/messages.ts';

interface Surroundings {
  readonly config: Pick<Config, 'BASE_URL'>;
  readonly authority: Pick<Authority, 'peppers'>;
}

/**
 * The content of a message as its sender gets it: with what lets its reader in, which is kept nowhere. It is made of the
 * message's key, so that a repeat says the same.
 */
export async function contentToSend(
  { kind, key }: Pick<MessageRow, 'kind' | 'key'>,
  content: MessageContent,
  { config, authority }: Surroundings,
): Promise<MessageContent> {
  if (kind === 'sign-in-code')
    return filledIn(content, marks[kind], await derivedCode(key, authority.peppers));
  if (kind !== 'sign-in-link') return content;
  const { token } = await derivedToken('svclink', key, authority.peppers);
  const link = `${config.BASE_URL}/console/#link=${token}`;
  return filledIn(content, marks[kind], link, `<a href="${link}">${link}</a>`);
}

const filledIn = (
  { text, html, ...content }: MessageContent,
  mark: string,
  secret: string,
  inHtml = secret,
): MessageContent => ({
  ...content,
  text: text.replaceAll(mark, secret),
  html: html?.replaceAll(mark, inHtml) ?? null,
});
