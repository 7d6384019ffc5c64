import { Link } from 'wouter';
import type { ToDo as Waiting } from '../../api/generated.ts';
import { distance } from '../../lib/time.ts';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { useMoney } from '../../parts/money.tsx';
import { useLocale, useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

/** An open task; without an address the console has no screen for it yet. */
interface Job {
  readonly text: string;
  readonly aside?: string | undefined;
  readonly href?: string;
  readonly icon: IconName;
}

interface Shown {
  readonly toDo: Waiting;
  /** The number of orders that are paid, and not sent or completed yet. */
  readonly inProgress: number;
}

export function ToDo({ toDo, inProgress }: Shown) {
  const t = useTexts(texts);
  const jobs = useJobs(toDo, inProgress);
  return (
    <section aria-labelledby="to-do">
      <h2 id="to-do" className="home-title">
        {t.toDo}
      </h2>
      {jobs.length === 0 && <p className="faint">{t.nothing}</p>}
      <ul className="jobs">
        {jobs.map(({ text, aside, href, icon }) => (
          <li key={text} className="card job">
            <Icon name={icon} />
            <span>
              {href === undefined ? text : <Link href={href}>{text}</Link>}
              {aside !== undefined && <span className="faint small">{aside}</span>}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function useJobs(toDo: Waiting, inProgress: number): readonly Job[] {
  const t = useTexts(texts).jobs;
  const locale = useLocale();
  const money = useMoney();
  const { confirmations, risks, webhooks, payouts_due } = toDo;
  const agedAside = (oldest: string | null | undefined) =>
    oldest ? t.oldest(distance(oldest, new Date(), locale)) : undefined;
  const aside = agedAside(confirmations?.oldest_at);
  const counted = (
    count: number | null | undefined,
    text: (count: number) => string,
    job: Omit<Job, 'text'>,
  ): Job[] => (count ? [{ text: text(count), ...job }] : []);
  return [
    ...counted(confirmations?.pending, t.confirmations, { aside, href: '/proofs', icon: 'proofs' }),
    ...counted(inProgress, t.inProgress, { href: '/orders?status=in-progress', icon: 'orders' }),
    ...counted(toDo.unexpected_payments, t.unexpected, {
      href: '/orders?view=unexpected',
      icon: 'alert',
    }),
    ...counted(toDo.refunds_failed, t.refunds, { href: '/orders?view=refunds', icon: 'alert' }),
    ...counted(toDo.refunds_by_hand, t.refundsByHand, {
      aside: t.lastDays,
      href: '/orders?view=refunds-by-hand',
      icon: 'orders',
    }),
    ...counted(risks?.open, t.risks, {
      aside: agedAside(risks?.oldest_at),
      href: '/affiliates?status=open',
      icon: 'affiliates',
    }),
    ...counted(webhooks?.paused, t.paused, { href: '/webhooks', icon: 'webhooks' }),
    ...counted(webhooks?.failing, t.failing, {
      href: `/webhooks/${webhooks?.longest_failing_id ?? ''}`,
      icon: 'webhooks',
    }),
    ...counted(toDo.orders_without_code, t.withoutCode, {
      href: '/orders?status=on-hold',
      icon: 'alert',
    }),
    ...counted(toDo.bank_mutations, t.mutations, { href: '/orders?view=bank', icon: 'alert' }),
    ...counted(toDo.messages_failed, t.messages, {
      href: '/messages?status=failed',
      icon: 'messages',
    }),
    ...counted(toDo.reminders_failed, t.reminders, {
      href: '/messages?view=reminders&status=failed',
      icon: 'alert',
    }),
    ...(payouts_due && payouts_due > 0
      ? [{ text: t.payouts(money(payouts_due)), href: '/payouts', icon: 'payouts' as const }]
      : []),
  ];
}
