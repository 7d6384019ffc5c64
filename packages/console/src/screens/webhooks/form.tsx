import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../../api/client.ts';
import type { EventPattern, Webhook } from '../../api/generated.ts';
import { ActionForm } from '../../parts/action-form.tsx';
import { Field, TextInput } from '../../parts/field.tsx';
import { Page } from '../../parts/page.tsx';
import { SecretBox } from '../../parts/secret-box.tsx';
import { common } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import { Events } from './events.tsx';
import { texts } from './texts.ts';

interface WebhookFormProps {
  /** The webhook to change; without one a new webhook is created. */
  readonly webhook?: Webhook;
}

/** Creates a webhook, whose secret is shown once, or changes one. */
export function WebhookForm({ webhook }: WebhookFormProps) {
  const { form: t, new: verb } = useTexts(texts);
  const { save: change } = useTexts(common).actions;
  const [, navigate] = useLocation();
  const [name, setName] = useState(webhook?.name ?? '');
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [events, setEvents] = useState(() => (webhook?.events ?? ['*']) as readonly EventPattern[]);
  const save = useSave(webhook, { name, url, events: [...events] });
  if (save.data) return <Made {...save.data} />;
  return (
    <Page title={webhook ? nameOf(webhook) : t.title}>
      <ActionForm
        className="record-form"
        action={save}
        verb={webhook ? change : verb}
        disabled={events.length === 0}
        onSubmit={() => save.mutate()}
        onCancel={() => navigate(webhook ? `/webhooks/${webhook.id}` : '/webhooks')}
      >
        <Field name="name" label={t.name} error={save.error}>
          <TextInput value={name} onChange={({ target }) => setName(target.value)} />
        </Field>
        <Field name="url" label={t.url} hint={t.urlHint} error={save.error} required>
          <TextInput
            required
            type="url"
            value={url}
            onChange={({ target }) => setUrl(target.value)}
          />
        </Field>
        <Events chosen={events} onChange={setEvents} />
      </ActionForm>
    </Page>
  );
}

/** Names a webhook: by its host if it has no name. */
export const nameOf = ({ name, url }: Pick<Webhook, 'name' | 'url'>): string =>
  name || new URL(url).host;

interface MadeWebhook {
  readonly id: number;
  readonly name: string;
  readonly secret: string;
}

interface Wanted {
  readonly name: string;
  readonly url: string;
  readonly events: EventPattern[];
}

/** The changed fields of a webhook: changing only the name needs no fresh sign-in. */
const changesOf = (webhook: Webhook, { name, url, events }: Wanted): Partial<Wanted> => ({
  ...(name !== webhook.name && { name }),
  ...(url !== webhook.url && { url }),
  ...(events.join() !== webhook.events.join() && { events }),
});

/** Creates the webhook, whose secret only this reply contains; or changes it and returns to it. */
function useSave(webhook: Webhook | undefined, wanted: Wanted) {
  const [, navigate] = useLocation();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (): Promise<MadeWebhook | undefined> => {
      if (!webhook) {
        const { id, secret } = (await api.webhooks.create(wanted)).data;
        return { id, secret, name: nameOf(wanted) };
      }
      await api.webhooks.update(webhook, changesOf(webhook, wanted));
      return undefined;
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['webhooks'] });
      if (webhook) navigate(`/webhooks/${webhook.id}`);
    },
  });
}

function Made({ id, name, secret }: MadeWebhook) {
  const t = useTexts(texts);
  const [, navigate] = useLocation();
  return (
    <Page title={t.made(name)} lead={t.verify}>
      <SecretBox secret={secret} label={t.secret} onDone={() => navigate(`/webhooks/${id}`)} />
    </Page>
  );
}
