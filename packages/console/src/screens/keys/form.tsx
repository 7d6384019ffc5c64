import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../../api/client.ts';
import type { ApiKey, ApiKeyWithToken } from '../../api/generated.ts';
import { ActionForm } from '../../parts/action-form.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Field, TextArea, TextInput } from '../../parts/field.tsx';
import { Page } from '../../parts/page.tsx';
import { Select } from '../../parts/select.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { common } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import { MadeKey } from './made.tsx';
import type { Scope } from '../../texts/scopes.ts';
import { Scopes } from './scopes.tsx';
import { texts } from './texts.ts';
import { scopesAmong } from './words.ts';

type Term = keyof (typeof texts)['en']['form']['terms'];
const terms: readonly Term[] = ['0', '30', '90', '365'];

const endOf = (term: Term): string | null =>
  term === '0' ? null : new Date(Date.now() + Number(term) * 86_400_000).toISOString();

interface Draft {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Undefined keeps the key's end. */
  readonly term: Term | undefined;
  /** One in each line. */
  readonly addresses: string;
  readonly administrators: boolean;
}

const draftOf = (key: ApiKey | undefined): Draft => ({
  name: key?.name ?? '',
  scopes: scopesAmong(key?.scopes ?? []),
  term: key ? undefined : '0',
  addresses: key?.ip_allow?.join('\n') ?? '',
  administrators: key?.signs_in_administrators ?? false,
});

function wantedOf({ name, scopes, addresses, administrators }: Draft) {
  const allowed = addresses.split(/[\s,]+/).filter(Boolean);
  return {
    name,
    scopes: [...scopes],
    ip_allow: allowed.length > 0 ? allowed : null,
    signs_in_administrators: administrators && scopes.includes('sessions:write'),
  };
}

interface KeyFormProps {
  /** The key to change; without one a new key is created. */
  readonly apiKey?: ApiKey | undefined;
}

/** Creates an API key, or changes one. A new key is shown once, with its first request. */
export function KeyForm({ apiKey }: KeyFormProps) {
  const t = useTexts(texts);
  const { save: change } = useTexts(common).actions;
  const [, navigate] = useLocation();
  const [draft, setDraft] = useState(() => draftOf(apiKey));
  const edit = (changes: Partial<Draft>) => setDraft({ ...draft, ...changes });
  const save = useSave(apiKey, draft);
  if (save.data) return <MadeKey made={save.data} />;
  return (
    <Page title={apiKey ? apiKey.name : t.form.title}>
      <ActionForm
        className="record-form"
        action={save}
        verb={apiKey ? change : t.new}
        disabled={draft.scopes.length === 0}
        onSubmit={() => save.mutate()}
        onCancel={() => navigate(apiKey ? `/keys/${apiKey.id}` : '/keys')}
      >
        <Fields draft={draft} edit={edit} error={save.error} apiKey={apiKey} />
      </ActionForm>
    </Page>
  );
}

/** Creates the key, which only this reply contains; or changes it and returns to it. */
function useSave(apiKey: ApiKey | undefined, draft: Draft) {
  const t = useTexts(texts);
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const toast = useToast();
  const expires_at = draft.term && endOf(draft.term);
  return useMutation({
    mutationFn: async (): Promise<ApiKeyWithToken | undefined> => {
      const wanted = wantedOf(draft);
      if (!apiKey) {
        return (await api.keys.create({ ...wanted, expires_at: expires_at ?? null })).data;
      }
      await api.keys.update(apiKey.id, {
        ...wanted,
        ...(expires_at !== undefined && { expires_at }),
      });
      return undefined;
    },
    onSuccess: async (made) => {
      await client.invalidateQueries({ queryKey: ['keys'] });
      if (made || !apiKey) return;
      toast(t.saved(draft.name));
      navigate(`/keys/${apiKey.id}`);
    },
  });
}

interface FieldsProps extends KeyFormProps {
  readonly draft: Draft;
  readonly edit: (changes: Partial<Draft>) => void;
  readonly error: Error | null;
}

function Fields({ draft, edit, error, apiKey }: FieldsProps) {
  const t = useTexts(texts).form;
  const { name, scopes, term, addresses, administrators } = draft;
  const kept = apiKey ? ([['', t.termKept]] as const) : [];
  return (
    <>
      <Field name="name" label={t.name} hint={t.nameHint} error={error} required>
        <TextInput
          required
          maxLength={100}
          value={name}
          onChange={({ target }) => edit({ name: target.value })}
        />
      </Field>
      <Scopes chosen={scopes} onChange={(chosen) => edit({ scopes: chosen })} />
      {scopes.includes('sessions:write') && (
        <Choice
          name={t.administrators}
          hint={t.administratorsHint}
          checked={administrators}
          onChange={(checked) => edit({ administrators: checked })}
        />
      )}
      <Field
        name="expires_at"
        label={t.ends}
        hint={term === '0' && t.neverHint}
        error={error}
        required
      >
        <Select
          value={term ?? ''}
          options={[...kept, ...terms.map((each) => [each, t.terms[each]] as const)]}
          onChange={(value) => edit({ term: value === '' ? undefined : value })}
        />
      </Field>
      <Field name="ip_allow" label={t.addresses} hint={t.addressesHint} error={error}>
        <TextArea
          rows={2}
          value={addresses}
          onChange={({ target }) => edit({ addresses: target.value })}
        />
      </Field>
    </>
  );
}
