import { type UseQueryResult, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { api } from '../../api/client.ts';
import type { ApiKey, KeyRotate } from '../../api/generated.ts';
import { ActionForm } from '../../parts/action-form.tsx';
import { Button } from '../../parts/button.tsx';
import { useNeighbours } from '../../parts/data-table.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { Facts } from '../../parts/page.tsx';
import { SecretBox } from '../../parts/secret-box.tsx';
import { Select } from '../../parts/select.tsx';
import { Sheet } from '../../parts/sheet.tsx';
import { Time } from '../../parts/time.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { common } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import { KeyState } from './state.tsx';
import { texts } from './texts.ts';
import { Use } from './use.tsx';
import { useMayWords } from './words.ts';

interface KeySheetProps {
  readonly id: number;
  readonly list: UseQueryResult<readonly ApiKey[]>;
  readonly hrefOf: (key: ApiKey) => string;
}

export function KeySheet({ id, list, hrefOf }: KeySheetProps) {
  const [, navigate] = useLocation();
  const rows = list.data ?? [];
  const neighbours = useNeighbours(rows, (row) => row.id === id, hrefOf);
  const key = rows.find((row) => row.id === id);
  return (
    <Sheet
      title={key?.name}
      query={list}
      aside={key && <KeyState status={key.status} />}
      onClose={() => navigate('/keys')}
      {...neighbours}
      actions={key && key.status !== 'revoked' && <KeyActions apiKey={key} />}
    >
      {key && (
        <>
          <About apiKey={key} />
          <Use apiKey={key} />
        </>
      )}
    </Sheet>
  );
}

interface Part {
  readonly apiKey: ApiKey;
}

function About({ apiKey: key }: Part) {
  const { detail: t, never } = useTexts(texts);
  const may = useMayWords();
  return (
    <Facts
      items={[
        [t.may, may(key.scopes)],
        [t.used, key.last_used_at ? <Time at={key.last_used_at} as="both" /> : never],
        [t.ends, key.expires_at ? <Time at={key.expires_at} as="both" /> : never],
        [t.addresses, key.ip_allow?.join(', ')],
        [t.administrators, key.signs_in_administrators && t.yes],
        [
          t.made,
          <>
            <Time at={key.created_at} as="both" />{' '}
            {key.created_by ? `${t.by} ${key.created_by.display_name}` : t.commandLine}
          </>,
        ],
      ]}
    />
  );
}

function KeyActions({ apiKey: key }: Part) {
  const t = useTexts(texts);
  const { edit } = useTexts(common).actions;
  const [asked, setAsked] = useState<'rotate' | 'revoke'>();
  const close = () => setAsked(undefined);
  return (
    <>
      {key.status === 'active' && (
        <>
          <Link className="button plain" href={`/keys/${key.id}/edit`}>
            {edit}
          </Link>
          <Button onClick={() => setAsked('rotate')}>{t.rotate}</Button>
        </>
      )}
      <Button look="danger" onClick={() => setAsked('revoke')}>
        {t.revoke}
      </Button>
      {asked === 'rotate' && <Rotation apiKey={key} onClose={close} />}
      {asked === 'revoke' && <Revocation apiKey={key} onClose={close} />}
    </>
  );
}

type Overlap = keyof (typeof texts)['en']['overlaps'];
const overlaps: readonly Overlap[] = ['0', '900', '3600', '21600', '86400'];

interface AskedProps extends Part {
  readonly onClose: () => void;
}

function Rotation({ apiKey: key, onClose }: AskedProps) {
  const t = useTexts(texts);
  const client = useQueryClient();
  const [overlap, setOverlap] = useState<Overlap>('86400');
  const rotate = useMutation({
    mutationFn: async () => {
      const seconds = Number(overlap) as KeyRotate['overlap'];
      return (await api.keys.rotate(key.id, { overlap: seconds })).data.token;
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['keys'] }),
  });
  return (
    <Dialog title={t.rotate} text={rotate.data ? undefined : t.rotateText} onClose={onClose}>
      {rotate.data ? (
        <SecretBox secret={rotate.data} label={t.made.label} onDone={onClose} />
      ) : (
        <ActionForm
          action={rotate}
          verb={t.rotate}
          onSubmit={() => rotate.mutate()}
          onCancel={onClose}
        >
          <Field name="overlap" label={t.overlap} error={rotate.error} required>
            <Select
              value={overlap}
              options={overlaps.map((each) => [each, t.overlaps[each]])}
              onChange={setOverlap}
            />
          </Field>
        </ActionForm>
      )}
    </Dialog>
  );
}

function Revocation({ apiKey: key, onClose }: AskedProps) {
  const t = useTexts(texts);
  const client = useQueryClient();
  const toast = useToast();
  const revoke = useMutation({
    mutationFn: () => api.keys.revoke(key.id),
    onSuccess: () => {
      toast(t.revoked(key.name));
      onClose();
      void client.invalidateQueries({ queryKey: ['keys'] });
    },
  });
  return (
    <Dialog title={t.revoke} text={t.revokeText(key.name)} onClose={onClose}>
      <ActionForm
        action={revoke}
        verb={t.revoke}
        look="danger"
        onSubmit={() => revoke.mutate()}
        onCancel={onClose}
      />
    </Dialog>
  );
}
