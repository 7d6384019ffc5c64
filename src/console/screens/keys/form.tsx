import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../../api/client.ts';
import { type KeyCreate, scopes } from '../../api/generated.ts';
import { Button } from '../../parts/button.tsx';
import { Choice } from '../../parts/choice.tsx';
import { ErrorView } from '../../parts/error-view.tsx';
import { Field, TextArea, TextInput } from '../../parts/field.tsx';
import { Page } from '../../parts/page.tsx';
import { Select } from '../../parts/select.tsx';
import { common } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import { MadeKey } from './made.tsx';
import { texts } from './texts.ts';
import { scopesByResource } from './words.ts';

type Scope = KeyCreate['scopes'][number];

const all = scopes.map(({ name }) => name);

/** What keys of a kind are mostly given. */
const presets: Readonly<Record<'all' | 'read' | 'checkout', readonly Scope[]>> = {
  all,
  read: all.filter((name) => name.endsWith(':read')),
  checkout: [
    ...(['orders:read', 'orders:write', 'products:read', 'checkout:read'] as const),
    ...(['payments:read', 'users:read', 'users:write', 'sessions:write'] as const),
  ],
};

const names = ['checkout', 'read', 'all'] as const;

type Term = keyof (typeof texts)['en']['form']['terms'];
const terms: readonly Term[] = ['0', '30', '90', '365'];

const endOf = (term: Term): string | null =>
  term === '0' ? null : new Date(Date.now() + Number(term) * 86_400_000).toISOString();

/** Makes an API key; what makes it up is shown once, and then its first request. */
export function KeyForm() {
  const t = useTexts(texts).form;
  const { cancel } = useTexts(common).actions;
  const verb = useTexts(texts).new;
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<readonly Scope[]>([]);
  const [term, setTerm] = useState<Term>('0');
  const [addresses, setAddresses] = useState('');
  const [administrators, setAdministrators] = useState(false);
  const make = useMutation({
    mutationFn: async () => {
      const allowed = addresses.split(/[\s,]+/).filter(Boolean);
      const { data } = await api.keys.create({
        name,
        scopes: [...chosen],
        expires_at: endOf(term),
        ip_allow: allowed.length > 0 ? allowed : null,
        signs_in_administrators: administrators && chosen.includes('sessions:write'),
      });
      return data;
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['keys'] }),
  });
  if (make.data) return <MadeKey made={make.data} />;
  return (
    <Page title={t.title}>
      <form
        className="form key-form"
        onSubmit={(event) => {
          event.preventDefault();
          make.mutate();
        }}
      >
        <Field name="name" label={t.name} hint={t.nameHint} error={make.error} required>
          <TextInput
            required
            maxLength={100}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        </Field>
        <Scopes chosen={chosen} onChange={setChosen} />
        {chosen.includes('sessions:write') && (
          <Choice
            name={t.administrators}
            hint={t.administratorsHint}
            checked={administrators}
            onChange={setAdministrators}
          />
        )}
        <Field
          name="expires_at"
          label={t.ends}
          hint={term === '0' && t.neverHint}
          error={make.error}
          required
        >
          <Select
            value={term}
            options={terms.map((each) => [each, t.terms[each]])}
            onChange={setTerm}
          />
        </Field>
        <Field name="ip_allow" label={t.addresses} hint={t.addressesHint} error={make.error}>
          <TextArea
            rows={2}
            value={addresses}
            onChange={({ target }) => setAddresses(target.value)}
          />
        </Field>
        {make.error && <ErrorView error={make.error} />}
        <div className="form-actions">
          <Button onClick={() => navigate('/keys')}>{cancel}</Button>
          <Button type="submit" look="primary" disabled={chosen.length === 0} busy={make.isPending}>
            {verb}
          </Button>
        </div>
      </form>
    </Page>
  );
}

interface ScopesProps {
  readonly chosen: readonly Scope[];
  readonly onChange: (scopes: readonly Scope[]) => void;
}

/** The scopes by what they allow, under their resources. */
function Scopes({ chosen, onChange }: ScopesProps) {
  const t = useTexts(texts).form;
  const toggle = (scope: Scope, isChosen: boolean) =>
    onChange(all.filter((each) => (each === scope ? isChosen : chosen.includes(each))));
  return (
    <fieldset className="scopes">
      <legend>{t.scopes}</legend>
      <div className="row" role="group" aria-label={t.presets}>
        <span className="faint">{t.presets}</span>
        {names.map((preset) => (
          <Button key={preset} look="quiet" onClick={() => onChange(presets[preset])}>
            {t.preset[preset]}
          </Button>
        ))}
      </div>
      <div className="scope-groups">
        {[...scopesByResource].map(([resource, items]) => (
          <fieldset key={resource}>
            <legend>{resource}</legend>
            {items.map(({ name, description }) => (
              <Choice
                key={name}
                name={description}
                checked={chosen.includes(name)}
                onChange={(isChosen) => toggle(name, isChosen)}
              />
            ))}
          </fieldset>
        ))}
      </div>
      {chosen.length === 0 && <p className="small faint">{t.none}</p>}
    </fieldset>
  );
}
