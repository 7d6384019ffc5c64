import { api } from '../../api/client.ts';
import type { User } from '../../api/generated.ts';
import { useSaveRecord } from '../../api/record.ts';
import { useDraft } from '../../context/draft.ts';
import { Button } from '../../parts/button.tsx';
import { DraftForm } from '../../parts/draft-form.tsx';
import { SelectField, TextField } from '../../parts/record-fields.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { common } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

interface EditProps {
  readonly user: User;
  readonly onDone: () => void;
}

/** The form for a customer's names, addresses and status. */
export function Edit({ user, onDone }: EditProps) {
  const { edit: t, statuses } = useTexts(texts);
  const { actions } = useTexts(common);
  const toast = useToast();
  const { first_name, last_name, display_name, email, phone, address, postal_code } = user;
  const { country, status } = user;
  const names = { first_name, last_name, display_name };
  const draft = useDraft(`users/${user.id}`, {
    ...names,
    ...{ email, phone, address, postal_code, country, status },
  });
  const save = useSaveRecord('users', user, {
    write: async (changes: Partial<typeof draft.values>) =>
      (await api.users.update(user, changes)).data,
    onSaved: (saved) => {
      draft.discard();
      toast(t.saved(saved.display_name));
      onDone();
    },
  });
  const part = { of: draft.values, edit: draft.edit, words: t.fields };
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
        <TextField {...part} name="country" maxLength={2} />
      </div>
      <SelectField {...part} name="status" options={Object.entries(statuses)} />
      <div>
        <Button look="quiet" onClick={onDone}>
          {actions.close}
        </Button>
      </div>
    </DraftForm>
  );
}
