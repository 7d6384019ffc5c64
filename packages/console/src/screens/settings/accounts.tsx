import type { ManualAccount } from '../../api/generated.ts';
import { Button } from '../../parts/button.tsx';
import { DraftField, Marked } from '../../parts/draft-form.tsx';
import { TextInput } from '../../parts/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { common } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

const fields = [
  { name: 'bank', required: true, maxLength: 200 },
  { name: 'account_number', required: true, maxLength: 64 },
  { name: 'owner', required: true, maxLength: 200 },
  { name: 'info', required: false, maxLength: 200 },
] as const;

const most = 20;

interface AccountsProps {
  readonly accounts: readonly ManualAccount[];
  readonly onChange: (accounts: readonly ManualAccount[]) => void;
}

export function Accounts({ accounts, onChange }: AccountsProps) {
  const t = useTexts(texts).accounts;
  const { remove } = useTexts(common).actions;
  const replace = (at: number, changes: Partial<ManualAccount>) =>
    onChange(accounts.map((account, i) => (i === at ? { ...account, ...changes } : account)));
  const add = () =>
    onChange([...accounts, { id: newId(accounts), bank: '', owner: '', account_number: '' }]);
  return (
    <Marked name="manual_accounts">
      <ul className="accounts">
        {accounts.map((account, i) => (
          <li key={account.id} className="card">
            <fieldset className="fields" aria-label={t.account(i + 1, account.bank)}>
              {fields.map(({ name, ...input }) => (
                <DraftField
                  key={name}
                  name={`manual_accounts.${i}.${name}`}
                  label={t[name]}
                  required={input.required}
                >
                  <TextInput
                    {...input}
                    value={account[name] ?? ''}
                    onChange={({ target }) => replace(i, { [name]: target.value })}
                  />
                </DraftField>
              ))}
            </fieldset>
            <Button
              look="quiet"
              aria-label={remove(t.account(i + 1, account.bank))}
              onClick={() => onChange(accounts.filter((_, other) => other !== i))}
            >
              <Icon name="close" />
              {t.remove}
            </Button>
          </li>
        ))}
      </ul>
      <Button disabled={accounts.length >= most} onClick={add}>
        <Icon name="plus" />
        {t.add}
      </Button>
    </Marked>
  );
}

/** An id that no account of the store has: orders name their account by it. */
function newId(accounts: readonly ManualAccount[]): string {
  let number = accounts.length + 1;
  while (accounts.some(({ id }) => id === `bank-${number}`)) number += 1;
  return `bank-${number}`;
}
