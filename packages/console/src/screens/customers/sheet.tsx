import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { api } from '../../api/client.ts';
import type { TreeUser, User } from '../../api/generated.ts';
import { useMay, useStore } from '../../context/session.ts';
import type { ListState } from '../../lib/address.ts';
import { callTo, chatWith } from '../../lib/phone.ts';
import { Button } from '../../parts/button.tsx';
import { useNeighbours } from '../../parts/data-table.tsx';
import { Facts } from '../../parts/page.tsx';
import { Sheet } from '../../parts/sheet.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { common } from '../../texts/common.ts';
import { useTexts } from '../../texts/texts.ts';
import { ActAs, actAsTexts } from './act-as.tsx';
import { AffiliateRole, useAffiliateVerb } from './affiliate-role.tsx';
import { Belongings } from './belongings.tsx';
import { Edit } from './edit.tsx';
import { Erase } from './erase.tsx';
import { Grant } from './grant.tsx';
import { ChangeGroup, EndSessions } from './group.tsx';
import { ShopSessions } from './shop-sessions.tsx';
import { texts } from './texts.ts';

interface CustomerSheetProps {
  readonly id: number;
  /** The list beside which the sheet is open. */
  readonly rows: readonly User[];
  readonly hrefOf: (user: User) => string;
  readonly state: ListState;
}

export function CustomerSheet({ id, rows, hrefOf, state }: CustomerSheetProps) {
  const t = useTexts(texts);
  const [, navigate] = useLocation();
  const [isEditing, setEditing] = useState(false);
  const neighbours = useNeighbours(rows, (row) => row.id === id, hrefOf);
  const listed = rows.find((row) => row.id === id);
  const query = useQuery({
    queryKey: ['users', id],
    queryFn: async ({ signal }) => (await api.users.get(id, { signal })).data,
    ...(listed && { placeholderData: listed }),
  });
  const { data } = query;
  const close = () => navigate(`/customers${state.query()}`);
  return (
    <Sheet
      title={data?.display_name}
      query={query}
      aside={
        data && data.status !== 'active' && <Status tone="bad">{t.statuses[data.status]}</Status>
      }
      onClose={close}
      {...neighbours}
      actions={
        data && !isEditing && <Actions user={data} onEdit={() => setEditing(true)} onGone={close} />
      }
    >
      {data && (
        <>
          {isEditing ? (
            <Edit user={data} onDone={() => setEditing(false)} />
          ) : (
            <About user={data} />
          )}
          <Belongings user={data} />
          <ShopSessions user={data} />
        </>
      )}
    </Sheet>
  );
}

interface Part {
  readonly user: User;
}

function About({ user }: Part) {
  const { facts: t, roles } = useTexts(texts);
  const { email, address, postal_code, country, group, created_at } = user;
  return (
    <Facts
      items={[
        [t.email, email && <a href={`mailto:${email}`}>{email}</a>],
        [t.phone, user.phone && <Phone phone={user.phone} />],
        [t.address, [address, postal_code, country].filter(Boolean).join(', ')],
        [t.group, group?.name],
        [t.role, user.roles.map((role) => roles[role]).join(', ')],
        [t.above, user.affiliate_id !== null && <Above user={user} />],
        [t.below, <Below user={user} />],
        [t.tree, <Link href={`/tree/${user.id}`}>{t.openTree}</Link>],
        [t.account, user.bank_info && <Account user={user} />],
        [t.since, <Time at={created_at} as="both" />],
      ]}
    />
  );
}

/** The account that commissions are paid to, and its last change. */
function Account({ user: { bank_info, bank_changed_at } }: Part) {
  const t = useTexts(texts).facts;
  return (
    <>
      {bank_info}
      {bank_changed_at && (
        <span className="faint small">
          {' '}
          {t.accountNew} <Time at={bank_changed_at} as="distance" />
        </span>
      )}
    </>
  );
}

function Phone({ phone }: { readonly phone: string }) {
  const { whatsApp } = useTexts(common);
  const chat = chatWith(phone, useStore().dialling);
  return (
    <span className="phone">
      <a href={callTo(phone)}>{phone}</a>
      {chat && (
        <a href={chat} target="_blank" rel="noreferrer">
          {whatsApp}
        </a>
      )}
    </span>
  );
}

const personLink = ({ id, display_name }: TreeUser) => (
  <Link key={id} href={`/customers/${id}`}>
    {display_name}
  </Link>
);

const isPerson = (user: TreeUser | number): user is TreeUser => typeof user !== 'number';

/** The path up the tree, the nearest first. */
function Above({ user: { id } }: Part) {
  const { data = [] } = useQuery({
    queryKey: ['users', id, 'above'],
    queryFn: async ({ signal }) => (await api.users.uplines(id, {}, { signal })).data,
  });
  return <span className="tree-path">{data.filter((each) => isPerson(each)).map(personLink)}</span>;
}

/** The first people whose sponsor this person is. */
function Below({ user: { id } }: Part) {
  const t = useTexts(texts).facts;
  const { none } = useTexts(common);
  const { data } = useQuery({
    queryKey: ['users', id, 'below'],
    queryFn: ({ signal }) => api.users.downlines(id, { limit: 1, per_page: 5 }, { signal }),
  });
  const people = data?.data.filter((each) => isPerson(each)) ?? [];
  if (people.length === 0) return <span className="faint">{data && none}</span>;
  return (
    <span className="people">
      {people.map(personLink)}
      {data?.meta.next_cursor && <span className="faint">{t.more}</span>}
    </span>
  );
}

const forms = {
  grant: Grant,
  group: ChangeGroup,
  affiliate: AffiliateRole,
  sessions: EndSessions,
  actAs: ActAs,
};

interface ActionsProps extends Part {
  readonly onEdit: () => void;
  /** Leaves the sheet of an erased person. */
  readonly onGone: () => void;
}

function Actions({ user, onEdit, onGone }: ActionsProps) {
  const t = useTexts(texts);
  const { actions } = useTexts(common);
  const { verb: actAs } = useTexts(actAsTexts);
  const affiliateVerb = useAffiliateVerb(user);
  const may = useMay();
  const [chosen, setChosen] = useState<keyof typeof forms>();
  if (chosen) {
    const Form = forms[chosen];
    return <Form user={user} onDone={() => setChosen(undefined)} />;
  }
  // Only administrators change the roles of people with a role in the console.
  const isStaff = user.is_admin || user.staff_role_id !== null;
  const mayGiveRole = may('users:write') && (!isStaff || may('administrator'));
  const mayMove = may('user-groups:read') && (may('users:write') || may('user-groups:write'));
  return (
    <>
      {may('users:write') && <Button onClick={onEdit}>{actions.edit}</Button>}
      {mayMove && <Button onClick={() => setChosen('group')}>{t.group.verb}</Button>}
      {mayGiveRole && <Button onClick={() => setChosen('affiliate')}>{affiliateVerb}</Button>}
      {may('access:write') && may('products:read') && (
        <Button onClick={() => setChosen('grant')}>{t.grant.verb}</Button>
      )}
      {may('administrator') && <Button onClick={() => setChosen('actAs')}>{actAs}</Button>}
      {may('administrator') && (
        <Button look="danger" onClick={() => setChosen('sessions')}>
          {t.sessions.verb}
        </Button>
      )}
      {may('users:delete') && !isStaff && <Erase user={user} onGone={onGone} />}
    </>
  );
}
