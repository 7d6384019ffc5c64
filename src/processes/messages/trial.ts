import type { Results } from '../../kernel/database/statements.ts';
import type { Services } from '../../kernel/deployment/services.ts';
import { type Refusal, refuse, unknownReference } from '../../kernel/errors/errors.ts';
import type { ScopedPrincipal } from '../../kernel/auth/principals.ts';
import { composed } from '../../domain/message/content.ts';
import { sampleFacts } from '../../domain/message/samples.ts';
import { problemsOf, textIn } from '../../domain/message/template-rules.ts';
import type { TemplatePreview } from '../../domain/message/template-schemas.ts';
import type { MessageContent } from '../../schema/message-content.ts';
import { accountPage, hiddenLink } from '../../actions/shop/secrets.ts';
import { loadFacts } from '../../queries/message-facts.ts';
import { ofOrder } from '../../queries/order-columns.ts';
import type { Scope } from '../../schema/scopes.ts';
import type { TemplateKey } from '../../schema/messages.ts';
import { factsOf, languageOf, linkOf } from './preparing.ts';

const sampleOrder = 12;

export const loadTrial = ({ kind, medium }: TemplateKey, order_id: number | undefined, now: Date) =>
  loadFacts(
    {
      kind,
      medium,
      user_id: order_id === undefined ? null : ofOrder('user_id', order_id),
      order_id: order_id ?? null,
      record_id: null,
      reminder_id: null,
      message_id: null,
    },
    now,
  );

/** Requires the scopes that read the order. */
export function trialRefusal(
  principal: ScopedPrincipal,
  { kind }: TemplateKey,
  order_id: number | undefined,
): Refusal<'rest_forbidden'> | undefined {
  if (order_id === undefined) return undefined;
  const needed: readonly Scope[] =
    kind === 'order-completed' ? ['orders:read', 'access:read', 'licenses:read'] : ['orders:read'];
  const missing = needed.filter((scope) => !principal.has(scope));
  if (missing.length === 0) return undefined;
  return refuse('rest_forbidden', {
    message: `A test with an order also requires the scopes ${missing.join(', ')}.`,
  });
}

/** Fills in a template with a real order, if one is given, and sample records. */
export function tried(
  key: TemplateKey,
  { language, order_id, subject, text }: TemplatePreview,
  loaded: Results<ReturnType<typeof loadTrial>>,
  services: Pick<Services, 'config'> & { readonly now: Date },
): MessageContent | Refusal<'rest_invalid_param' | 'rest_not_found'> {
  const [settings] = loaded.settings;
  if (!settings || (order_id !== undefined && !loaded.order[0]))
    return unknownReference('order_id');
  const spoken = language ?? languageOf(loaded, settings);
  const stored = textIn(key, loaded.templates[0], spoken);
  const template = {
    ...stored,
    subject: subject ?? stored.subject,
    text: text ?? stored.text,
  };
  const params = problemsOf(template, key);
  if (Object.keys(params).length > 0) return refuse('rest_invalid_param', { params });
  const invented = sampleFacts(
    key.kind,
    settings,
    {
      page: hiddenLink(sampleOrder, 0, services.config),
      account: accountPage(services.config),
    },
    services.now.toISOString(),
  );
  const facts =
    order_id === undefined
      ? invented
      : { ...invented, ...factsOf(loaded, settings, services, linkOf(loaded, services)) };
  return composed({
    template,
    facts,
    medium: key.medium,
    language: spoken,
    layout: settings.mail_layout || null,
    unsubscribe_url: null,
  });
}
