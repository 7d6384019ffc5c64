import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { User } from '../../api/generated.ts';
import { ActionForm } from '../../parts/action-form.tsx';
import { Field } from '../../parts/field.tsx';
import { Select } from '../../parts/select.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { common } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

interface ActionProps {
  readonly user: User;
  readonly onDone: () => void;
}

export function ChangeGroup({ user, onDone }: ActionProps) {
  const t = useTexts(texts).group;
  const { none } = useTexts(common);
  const client = useQueryClient();
  const toast = useToast();
  const [chosen, setChosen] = useState(String(user.group_id ?? ''));
  const { data: groups = [] } = useQuery({
    queryKey: ['groups', 'list'],
    queryFn: async ({ signal }) => (await api.groups.list({ per_page: 100 }, { signal })).data,
  });
  const move = useMutation({
    mutationFn: () => {
      const group_id = chosen === '' ? null : Number(chosen);
      // A person chooses here, so groups of a lower priority are allowed, too.
      return api.users.setGroup(user.id, { group_id, force: true });
    },
    onSuccess: () => {
      toast(t.done(user.display_name));
      void client.invalidateQueries({ queryKey: ['users'] });
      onDone();
    },
  });
  return (
    <ActionForm
      className="action"
      action={move}
      verb={t.verb}
      disabled={chosen === String(user.group_id ?? '')}
      onSubmit={() => move.mutate()}
      onCancel={onDone}
    >
      <p>{t.text}</p>
      <Field name="group_id" label={t.field} error={move.error} required>
        <Select
          value={chosen}
          options={[['', none], ...groups.map(({ id, name }) => [String(id), name] as const)]}
          onChange={setChosen}
        />
      </Field>
    </ActionForm>
  );
}

/** Ends all sessions of a person, in the store's apps and in the console. */
export function EndSessions({ user, onDone }: ActionProps) {
  const t = useTexts(texts).sessions;
  const toast = useToast();
  const client = useQueryClient();
  const end = useMutation({
    mutationFn: () => api.me.users.revokeSessions(user.id),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['users', user.id, 'shop-sessions'] });
      toast(t.done(user.display_name));
      onDone();
    },
  });
  return (
    <ActionForm
      className="action"
      action={end}
      verb={t.verb}
      look="danger"
      onSubmit={() => end.mutate()}
      onCancel={onDone}
    >
      <p>{t.text}</p>
    </ActionForm>
  );
}
