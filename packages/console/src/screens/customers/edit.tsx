import { api } from '../../api/client.ts';
import type { PayeeAccount, User } from '../../api/generated.ts';
import { useSaveRecord } from '../../api/record.ts';
import { useDraft } from '../../context/draft.ts';
import { countriesIn } from '../../lib/places.ts';
import { Button } from '../../parts/button.tsx';
import { DraftForm, Marked } from '../../parts/draft-form.tsx';
import { SelectField, TextField } from '../../parts/record-fields.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { common } from '../../texts/common.ts';
import { useLocale, useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

interface EditProps {
  readonly user: User;
  readonly onDone: () => void;
}

const noAccount: PayeeAccount = { bank_code: '', bank_name: '', number: '', holder: '' };

/** An empty account means none. */
const accountOf = (account: PayeeAccount | null | undefined) =>
  account && Object.values(account).every((part) => part.trim() === '') ? null : account;

export function Edit({ user, onDone }: EditProps) {
  const { edit: t, statuses } = useTexts(texts);
  const { actions, none } = useTexts(common);
  const locale = useLocale();
  const toast = useToast();
  const { first_name, last_name, display_name, email, phone, address, postal_code } = user;
  const { country, status, bank_account } = user;
  const names = { first_name, last_name, display_name };
  const draft = useDraft(`users/${user.id}`, {
    ...names,
    ...{ email, phone, address, postal_code, country, status, bank_account },
  });
  const save = useSaveRecord('users', user, {
    write: async ({ bank_account: account, ...changes }: Partial<typeof draft.values>) => {
      const part = account === undefined ? {} : { bank_account: accountOf(account) };
      return (await api.users.update(user, { ...changes, ...part })).data;
    },
    onSaved: (saved) => {
      draft.discard();
      toast(t.saved(saved.display_name));
      onDone();
    },
  });
  const part = { of: draft.values, edit: draft.edit, words: t.fields };
  const account = draft.values.bank_account ?? noAccount;
  const accountPart = {
    of: account,
    edit: (changes: Partial<PayeeAccount>) =>
      draft.edit({ bank_account: { ...account, ...changes } }),
    words: t.account,
    path: 'bank_account.',
    required: accountOf(draft.values.bank_account) !== null,
  };
  return (
    <DraftForm draft={draft} save={save} onSave={() => save.mutate(draft.changes)}>
      <div className="fields">
        <TextField {...part} name="first_name" />
        <TextField {...part} name="last_name" />
      </div>
      <TextField {...part} name="display_name" required />
      <TextField {...part} name="email" required />
      <TextField {...part} name="phone" />
      <TextField {...part} name="address" />
      <div className="fields">
        <TextField {...part} name="postal_code" />
        <SelectField {...part} name="country" options={[['', none], ...countriesIn(locale)]} />
      </div>
      <SelectField {...part} name="status" options={Object.entries(statuses)} />
      <Marked name="bank_account">
        <fieldset className="scopes">
          <legend>{t.account.title}</legend>
          <p className="hint">
            {user.bank_account ? t.account.text : user.bank_info || t.account.text}
          </p>
          <div className="fields">
            <TextField {...accountPart} name="bank_name" />
            <TextField {...accountPart} name="bank_code" maxLength={20} />
          </div>
          <TextField {...accountPart} name="number" />
          <TextField {...accountPart} name="holder" />
        </fieldset>
      </Marked>
      <div>
        <Button look="quiet" onClick={onDone}>
          {actions.close}
        </Button>
      </div>
    </DraftForm>
  );
}
