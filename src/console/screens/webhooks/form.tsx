import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../../api/client.ts';
import { type EventPattern, events } from '../../api/generated.ts';
import { Button } from '../../parts/button.tsx';
import { Choice } from '../../parts/choice.tsx';
import { ErrorView } from '../../parts/error-view.tsx';
import { Field, TextInput } from '../../parts/field.tsx';
import { Page } from '../../parts/page.tsx';
import { SecretBox } from '../../parts/secret-box.tsx';
import { common } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

const byResource = Map.groupBy(events, ({ name }) => name.split('.')[0] ?? name);

/** Makes a webhook; its secret is shown once. */
export function WebhookForm() {
  const { form: t, new: verb, ...others } = useTexts(texts);
  const { cancel } = useTexts(common).actions;
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const [chosen, setChosen] = useState<readonly EventPattern[]>(['*']);
  const make = useMutation({
    mutationFn: async () => (await api.webhooks.create({ name, url, events: [...chosen] })).data,
    onSuccess: () => client.invalidateQueries({ queryKey: ['webhooks'] }),
  });
  const made = make.data;
  if (made) {
    return (
      <Page title={others.made(made.name || made.url)} lead={others.verify}>
        <SecretBox
          secret={made.secret}
          label={others.secret}
          onDone={() => navigate(`/webhooks/${made.id}`)}
        />
      </Page>
    );
  }
  return (
    <Page title={t.title}>
      <form
        className="form key-form"
        onSubmit={(event) => {
          event.preventDefault();
          make.mutate();
        }}
      >
        <Field name="name" label={t.name} error={make.error}>
          <TextInput value={name} onChange={({ target }) => setName(target.value)} />
        </Field>
        <Field name="url" label={t.url} hint={t.urlHint} error={make.error} required>
          <TextInput
            required
            type="url"
            value={url}
            onChange={({ target }) => setUrl(target.value)}
          />
        </Field>
        <Events chosen={chosen} onChange={setChosen} />
        {make.error && <ErrorView error={make.error} />}
        <div className="form-actions">
          <Button onClick={() => navigate('/webhooks')}>{cancel}</Button>
          <Button type="submit" look="primary" disabled={chosen.length === 0} busy={make.isPending}>
            {verb}
          </Button>
        </div>
      </form>
    </Page>
  );
}

interface EventsProps {
  readonly chosen: readonly EventPattern[];
  readonly onChange: (events: readonly EventPattern[]) => void;
}

function Events({ chosen, onChange }: EventsProps) {
  const t = useTexts(texts).form;
  const isAll = chosen.includes('*');
  const toggle = (event: EventPattern, isChosen: boolean) =>
    onChange(isChosen ? [...chosen, event] : chosen.filter((each) => each !== event));
  return (
    <fieldset className="scopes">
      <legend>{t.events}</legend>
      <Choice name={t.every} checked={isAll} onChange={(all) => onChange(all ? ['*'] : [])} />
      {!isAll && (
        <div className="scope-groups">
          {[...byResource].map(([resource, items]) => (
            <fieldset key={resource}>
              <legend>{resource}</legend>
              {items.map((event) => (
                <Choice
                  key={event.name}
                  name={event.name}
                  hint={event.description}
                  checked={chosen.includes(event.name)}
                  onChange={(isChosen) => toggle(event.name, isChosen)}
                />
              ))}
            </fieldset>
          ))}
        </div>
      )}
      {chosen.length === 0 && <p className="small faint">{t.none}</p>}
    </fieldset>
  );
}
