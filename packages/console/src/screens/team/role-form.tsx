import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../../api/client.ts';
import type { StaffRole } from '../../api/generated.ts';
import { type Draft, useDraft } from '../../context/draft.ts';
import { useMay } from '../../context/session.ts';
import { ActionForm } from '../../parts/action-form.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { DraftField, DraftForm, Marked } from '../../parts/draft-form.tsx';
import { ErrorView } from '../../parts/error-view.tsx';
import { TextInput } from '../../parts/field.tsx';
import { Facts, Page } from '../../parts/page.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { useTexts } from '../../texts/texts.ts';
import type { Scope } from '../../texts/scopes.ts';
import { Scopes } from '../keys/scopes.tsx';
import { allScopes, scopesAmong, useMayWords } from '../keys/words.ts';
import { useForgetTeam, useRoles } from './team.ts';
import { texts } from './texts.ts';

/** Scopes that a role can have. */
const ofRoles = allScopes.filter((scope) => scope !== 'sessions:write');

interface RoleFields {
  readonly name: string;
  readonly scopes: readonly Scope[];
}

const none: RoleFields = { name: '', scopes: [] };

export function NewRole() {
  const t = useTexts(texts);
  const draft = useDraft('team/role', none);
  const { name, scopes } = draft.values;
  return (
    <Page title={t.newRole}>
      <RoleForm
        draft={draft}
        send={() => api.staffRoles.create({ name, scopes: [...scopes] })}
        verb={t.newRole}
      />
    </Page>
  );
}

/** A role: administrators change it, others read it. */
export function EditedRole({ id }: { readonly id: number }) {
  const t = useTexts(texts);
  const isAdministrator = useMay()('administrator');
  const may = useMayWords();
  const { data, error, refetch } = useRoles();
  const role = data?.find((each) => each.id === id);
  if (error) return <ErrorView error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  if (!role) return <p className="faint">{t.gone}</p>;
  if (!isAdministrator) {
    return (
      <Page title={role.name}>
        <Facts
          items={[
            [t.may, may(role.scopes)],
            [t.columns.users, role.users],
          ]}
        />
      </Page>
    );
  }
  return (
    <Page
      title={role.name}
      lead={t.roleLead(role.users)}
      actions={!role.built_in && <Deletion role={role} />}
    >
      <ChangedRole role={role} />
    </Page>
  );
}

function ChangedRole({ role }: { readonly role: StaffRole }) {
  const { name, scopes } = role;
  const draft = useDraft(`team/role/${role.id}`, { name, scopes: scopesAmong(scopes) });
  return (
    <RoleForm
      draft={draft}
      send={() => {
        const { name: called, scopes: given } = draft.changes;
        return api.staffRoles.update(role, {
          ...(called !== undefined && { name: called }),
          ...(given !== undefined && { scopes: [...given] }),
        });
      }}
    />
  );
}

interface RoleFormProps {
  readonly draft: Draft<RoleFields>;
  readonly send: () => Promise<unknown>;
  readonly verb?: string;
}

function RoleForm({ draft, send, verb }: RoleFormProps): ReactNode {
  const t = useTexts(texts);
  const { name, scopes } = draft.values;
  const [, navigate] = useLocation();
  const forget = useForgetTeam();
  const toast = useToast();
  const save = useMutation({
    mutationFn: send,
    onSuccess: async () => {
      await forget();
      draft.discard();
      toast(t.roleSaved(name));
      navigate('/team/roles');
    },
    onError: forget,
  });
  return (
    <DraftForm
      draft={draft}
      save={save}
      verb={verb}
      disabled={scopes.length === 0}
      onSave={() => save.mutate()}
    >
      <div className="fields">
        <DraftField name="name" label={t.roleName} hint={t.roleNameHint}>
          <TextInput
            required
            maxLength={50}
            value={name}
            onChange={({ target }) => draft.edit({ name: target.value })}
          />
        </DraftField>
      </div>
      <Marked name="scopes">
        <Scopes
          among={ofRoles}
          chosen={scopes}
          onChange={(chosen) => draft.edit({ scopes: chosen })}
        />
      </Marked>
    </DraftForm>
  );
}

function Deletion({ role }: { readonly role: StaffRole }) {
  const t = useTexts(texts);
  const [asked, setAsked] = useState(false);
  const [, navigate] = useLocation();
  const forget = useForgetTeam();
  const toast = useToast();
  const remove = useMutation({
    mutationFn: () => api.staffRoles.delete(role.id),
    onSuccess: async () => {
      toast(t.roleDeleted(role.name));
      navigate('/team/roles');
      await forget();
    },
  });
  const close = () => setAsked(false);
  return (
    <>
      <Button look="danger" onClick={() => setAsked(true)}>
        {t.deleteRole}
      </Button>
      {asked && (
        <Dialog title={t.deleteRole} text={t.deleteText(role.name)} onClose={close}>
          <ActionForm
            action={remove}
            verb={t.deleteRole}
            look="danger"
            onSubmit={() => remove.mutate()}
            onCancel={close}
          />
        </Dialog>
      )}
    </>
  );
}
