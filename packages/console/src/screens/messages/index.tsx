import { Link, useRoute } from 'wouter';
import type { MessageKind, TemplateMedium } from '../../api/generated.ts';
import { useMay } from '../../context/session.ts';
import { useListState } from '../../lib/address.ts';
import { Page } from '../../parts/page.tsx';
import { LinkTabs } from '../../parts/tabs.tsx';
import { messageWords } from '../../texts/messages.ts';
import { useTexts } from '../../texts/texts.ts';
import { Log } from './log.tsx';
import { Reminders } from './reminders.tsx';
import { Suppressed } from './suppressed.tsx';
import { OneTemplate } from './template.tsx';
import { Templates } from './templates.tsx';
import { texts } from './texts.ts';

/** The parts besides the log. */
const parts = new Map([
  ['templates', Templates],
  ['reminders', Reminders],
  ['suppressed', Suppressed],
]);

export default function Messages() {
  const t = useTexts(texts);
  const state = useListState();
  const [, named] = useRoute('/messages/:view');
  const view = state.values['view'] ?? named?.view ?? '';
  const Part = parts.get(view) ?? Log;
  const [, one] = useRoute('/messages/templates/:kind/:medium');
  if (one) return <Template kind={one.kind ?? ''} medium={one.medium ?? ''} />;
  return (
    <Page title={t.title} lead={t.lead}>
      <Views current={parts.has(view) ? view : ''} />
      <Part state={state} />
    </Page>
  );
}

function Views({ current }: { readonly current: string }) {
  const t = useTexts(texts);
  const may = useMay();
  const views = (['', 'templates', 'reminders', 'suppressed'] as const).filter(
    (view) => view !== 'reminders' || may('reminders:read'),
  );
  const items = views.map((view) => ({
    href: view === '' ? '/messages' : `/messages?view=${view}`,
    name: t.view[view],
    current: view === current,
  }));
  return <LinkTabs label={t.views} items={items} />;
}

function Template({ kind, medium }: { readonly kind: string; readonly medium: string }) {
  const { templates: t } = useTexts(texts);
  const words = useTexts(messageWords);
  const media = words.media[medium as TemplateMedium];
  return (
    <Page
      title={words.kinds[kind as MessageKind] ?? kind}
      lead={media}
      actions={
        <Link className="button plain" href={`/messages?view=templates&medium=${medium}`}>
          {t.back}
        </Link>
      }
    >
      <OneTemplate key={`${kind}/${medium}`} kind={kind} medium={medium} />
    </Page>
  );
}
