import { api } from '../../api/client.ts';
import type { User, UserRole } from '../../api/generated.ts';
import { useSaveRecord } from '../../api/record.ts';
import { ActionForm } from '../../parts/action-form.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

const isAffiliate = ({ roles }: User): boolean => roles.includes('affiliate');

export const useAffiliateVerb = (user: User): string => {
  const t = useTexts(texts).affiliate;
  return isAffiliate(user) ? t.take.verb : t.give.verb;
};

function rolesAfter(user: User): readonly UserRole[] {
  if (!isAffiliate(user)) return [...user.roles, 'affiliate'];
  const others = user.roles.filter((role) => role !== 'affiliate');
  return others.length > 0 ? others : ['member'];
}

interface AffiliateRoleProps {
  readonly user: User;
  readonly onDone: () => void;
}

/** Makes a person an affiliate, or takes the role away. */
export function AffiliateRole({ user, onDone }: AffiliateRoleProps) {
  const words = useTexts(texts).affiliate;
  const was = isAffiliate(user);
  const t = was ? words.take : words.give;
  const toast = useToast();
  const save = useSaveRecord('users', user, {
    write: async (roles: readonly UserRole[]) =>
      (await api.users.update(user, { roles: [...roles] })).data,
    onSaved: ({ display_name }) => {
      toast(t.done(display_name));
      onDone();
    },
  });
  return (
    <ActionForm
      className="action"
      action={save}
      verb={t.verb}
      look={was ? 'danger' : 'primary'}
      onSubmit={() => save.mutate(rolesAfter(user))}
      onCancel={onDone}
    >
      <p>{t.text}</p>
      {!was && user.group_id !== null && <p className="hint">{words.groupHint}</p>}
    </ActionForm>
  );
}
