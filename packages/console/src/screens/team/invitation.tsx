import { useMutation } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { ApiError } from '../../../../client/src/errors.ts';
import { api } from '../../api/client.ts';
import type { User } from '../../api/generated.ts';
import { useDraft } from '../../context/draft.ts';
import { useLacksMail } from '../../context/senders.ts';
import { DraftField, DraftForm } from '../../parts/draft-form.tsx';
import { ErrorView } from '../../parts/error-view.tsx';
import { TextInput } from '../../parts/field.tsx';
import { Page } from '../../parts/page.tsx';
import { Select } from '../../parts/select.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { useTexts } from '../../texts/texts.ts';
import { useMayWords } from '../keys/words.ts';
import { useForgetTeam, useRoles } from './team.ts';
import { texts } from './texts.ts';

interface InvitationFields {
  readonly email: string;
  readonly display_name: string;
  /** The id of a role; empty until one is chosen. */
  readonly staff_role_id: string;
}

const none: InvitationFields = { email: '', display_name: '', staff_role_id: '' };

/** Gives a role to a person by e-mail address, who may be new here, and sends them a link. */
export function Invitation() {
  const t = useTexts(texts);
  const may = useMayWords();
  const roles = useRoles();
  const lacksMail = useLacksMail();
  const draft = useDraft('team/new', none);
  const { values, edit } = draft;
  const save = useInvite(values, draft.discard);
  const role = roles.data?.find(({ id }) => String(id) === values.staff_role_id);
  return (
    <Page title={t.invite} lead={lacksMail ? t.inviteUnsent : t.inviteLead}>
      {roles.error && <ErrorView error={roles.error} />}
      <DraftForm draft={draft} save={save} verb={t.invite} onSave={() => save.mutate()}>
        <div className="fields">
          <DraftField name="email" label={t.columns.email} hint={t.emailHint}>
            <TextInput
              required
              type="email"
              autoComplete="off"
              value={values.email}
              onChange={({ target }) => edit({ email: target.value })}
            />
          </DraftField>
          <DraftField name="display_name" label={t.columns.name} hint={t.nameHint}>
            <TextInput
              required
              autoComplete="off"
              maxLength={200}
              value={values.display_name}
              onChange={({ target }) => edit({ display_name: target.value })}
            />
          </DraftField>
          <DraftField
            name="staff_role_id"
            label={t.columns.role}
            hint={role ? may(role.scopes) : t.roleHint}
          >
            <Select
              required
              value={values.staff_role_id}
              options={[
                ['', t.choose],
                ...(roles.data ?? []).map(({ id, name }) => [String(id), name] as const),
              ]}
              onChange={(staff_role_id) => edit({ staff_role_id })}
            />
          </DraftField>
        </div>
      </DraftForm>
    </Page>
  );
}

async function findUser(email: string): Promise<User | undefined> {
  const { data } = await api.users.list({ search: email, per_page: 10 });
  return data.find((user) => user.email === email.trim().toLowerCase());
}

async function give({ email, display_name, staff_role_id }: InvitationFields): Promise<User> {
  const role = Number(staff_role_id);
  const known = await findUser(email);
  const { data } = known
    ? await api.users.update(known, { staff_role_id: role })
    : await api.users.create({ email, display_name, staff_role_id: role });
  return data;
}

/** Gives the role, then sends the link. The role is given even if the store can't send the link. */
function useInvite(values: InvitationFields, onDone: () => void) {
  const t = useTexts(texts);
  const [, navigate] = useLocation();
  const forget = useForgetTeam();
  const toast = useToast();
  return useMutation({
    mutationFn: async () => {
      const user = await give(values);
      const unsent = await api.console.links.create({ user_id: user.id }).then(
        () => undefined,
        (error: unknown) => error,
      );
      return { user, unsent };
    },
    onSuccess: async ({ user, unsent }) => {
      await forget();
      onDone();
      toast(t.changed(user.display_name));
      if (unsent instanceof ApiError) toast(unsent.message);
      else toast(t.linkSent(user.email));
      navigate(`/team/${user.id}`);
    },
  });
}
