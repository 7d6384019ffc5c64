import type { Authority } from '../../kernel/auth/principals.ts';
import { derivedCode, derivedToken } from '../../kernel/auth/secret-token.ts';
import type { Config } from '../../config.ts';
import { marks } from '../../domain/message/texts/sign-in.ts';
import type { MessageContent } from '../../schema/message-content.ts';
import type { MessageRow } from '../../schema/messages.ts';

interface Derivation {
  readonly config: Pick<Config, 'BASE_URL'>;
  readonly authority: Pick<Authority, 'peppers'>;
}

/**
 * The content of a message as its sender gets it, with the sign-in link or code, which is stored nowhere. The secret
 * is derived from the message's key, so that a repeat has the same one.
 */
export async function contentToSend(
  { kind, key }: Pick<MessageRow, 'kind' | 'key'>,
  content: MessageContent,
  { config, authority }: Derivation,
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
