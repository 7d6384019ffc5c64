import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../../api/client.ts';
import type { StaffRole, User, UserUpdate } from '../../api/generated.ts';
import { ActionForm } from '../../parts/action-form.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { Select } from '../../parts/select.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { useTexts } from '../../texts/texts.ts';
import { useMayWords } from '../keys/words.ts';
import { useForgetTeam } from './team.ts';
import { texts } from './texts.ts';

/** The chosen role: its id, `none`, or `administrator`. */
type Given = 'none' | 'administrator' | `${number}`;

const givenTo = ({ is_admin, staff_role_id }: User): Given => {
  if (is_admin) return 'administrator';
  return staff_role_id === null ? 'none' : `${staff_role_id}`;
};

/** The fields that change a person's role. */
function changesOf(user: User, given: Given): UserUpdate {
  const others = user.roles.filter((role) => role !== 'administrator' && role !== 'shop-manager');
  if (given === 'administrator') return { roles: [...others, 'administrator'] };
  return {
    ...(user.is_admin && { roles: others }),
    staff_role_id: given === 'none' ? null : Number(given),
  };
}

interface RoleDialogProps {
  readonly user: User;
  readonly roles: readonly StaffRole[];
  readonly onClose: () => void;
}

export function RoleDialog({ user, roles, onClose }: RoleDialogProps) {
  const t = useTexts(texts);
  const may = useMayWords();
  const [given, setGiven] = useState<Given>(givenTo(user));
  const forget = useForgetTeam();
  const toast = useToast();
  const [, navigate] = useLocation();
  const change = useMutation({
    mutationFn: () => api.users.update(user, changesOf(user, given)),
    onSuccess: async () => {
      toast(t.changed(user.display_name));
      onClose();
      if (given === 'none') navigate('/team');
      await forget();
    },
  });
  const role = roles.find(({ id }) => String(id) === given);
  const said = { none: t.takes, administrator: t.administratorMay };
  return (
    <Dialog title={t.changeRole} text={t.worksAtOnce(user.display_name)} onClose={onClose}>
      <ActionForm
        action={change}
        verb={given === 'none' ? t.take : t.give}
        look={given === 'none' ? 'danger' : 'primary'}
        disabled={given === givenTo(user)}
        onSubmit={() => change.mutate()}
        onCancel={onClose}
      >
        <Field
          name="staff_role_id"
          label={t.columns.role}
          hint={role ? may(role.scopes) : said[given as keyof typeof said]}
          error={change.error}
          required
        >
          <Select<Given>
            value={given}
            options={[
              ['none', t.noRole],
              ...roles.map(({ id, name }) => [`${id}`, name] as const),
              ['administrator', t.administrator],
            ]}
            onChange={setGiven}
          />
        </Field>
      </ActionForm>
    </Dialog>
  );
}
