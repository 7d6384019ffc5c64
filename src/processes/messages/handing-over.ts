import type { Authority } from '../../kernel/auth/principals.ts';
import { derivedCode, derivedToken } from '../../kernel/auth/secret-token.ts';
import type { Config } from '../../config.ts';
import { marks } from '../../domain/message/texts/sign-in.ts';
import { isTemplateKind } from '../../domain/message/kinds.ts';
import { placeholdersOf } from '../../domain/message/placeholders.ts';
import { revealed } from '../../actions/shop/secrets.ts';
import type { MessageContent } from '../../schema/message-content.ts';
import type { MessageRow } from '../../schema/messages.ts';

interface Derivation {
  readonly config: Pick<Config, 'BASE_URL'>;
  readonly authority: Pick<Authority, 'peppers'>;
}

type Addressed = Pick<MessageRow, 'kind' | 'order_id' | 'recipient_named'>;

/** Tells if a message may contain its order's link: it asks the buyer to pay, at the buyer's own address. */
export const isToPayer = ({ kind, recipient_named }: Addressed): boolean =>
  !recipient_named &&
  (kind === 'reminder' || (isTemplateKind(kind) && placeholdersOf(kind).includes('order-link')));

/**
 * Adds the secrets to a message: the sign-in link or code, or the proof of its order's link. They are derived and never
 * stored, so a repeat has the same ones.
 */
export async function contentToSend(
  row: Addressed & Pick<MessageRow, 'key'>,
  content: MessageContent,
  { config, authority }: Derivation,
): Promise<MessageContent> {
  const { kind, key, order_id } = row;
  if (order_id !== null && isToPayer(row))
    return JSON.parse(await revealed(JSON.stringify(content), order_id, authority));
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
