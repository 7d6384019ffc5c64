/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx';
import type { Account } from '../../../../queries/accounts.ts';
import { pageOf } from '../layout.tsx';
import type { StoreView } from '../store.ts';
import { accountTexts } from '../texts/account.ts';

export type Member = Pick<Account, 'display_name' | 'actor_id'>;

/** The outcome of a form, as in the address. */
export type Said = keyof (typeof accountTexts)['en']['said'];

interface Frame {
  readonly store: StoreView;
  readonly member: Member;
  readonly title: string;
  /** The page in the navigation. */
  readonly at: '/account' | '/account/details' | '/account/affiliate' | '';
  readonly said?: string | undefined;
  readonly children: Child;
}

export function accountFrame({ store, member, title, at, said, children }: Frame): string {
  const t = accountTexts[store.language];
  const outcome =
    said !== undefined && Object.hasOwn(t.said, said) ? t.said[said as Said] : undefined;
  return pageOf({
    store,
    title,
    isPrivate: true,
    children: (
      <div class="narrow">
        {member.actor_id !== null && <p class="problem">{t.actingAs(member.display_name)}</p>}
        <h1>{title}</h1>
        <nav aria-label={t.title}>
          <ul class="tabs">
            {(
              [
                ['/account', t.overview],
                ['/account/details', t.data],
                ['/account/affiliate', t.affiliate],
              ] as const
            ).map(([path, label]) => (
              <li>
                <a href={path} aria-current={path === at ? 'page' : undefined}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        {outcome && (
          <p class={outcome.isGood ? 'done' : 'problem'} role={outcome.isGood ? 'status' : 'alert'}>
            {outcome.text}
          </p>
        )}
        {children}
      </div>
    ),
  });
}
