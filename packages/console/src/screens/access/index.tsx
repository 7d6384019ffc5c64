import { Link, useRoute } from 'wouter';
import { useMay } from '../../context/session.ts';
import { type ListState, useListState } from '../../lib/address.ts';
import { useRecordId } from '../../lib/record-id.ts';
import { Page } from '../../parts/page.tsx';
import { LinkTabs } from '../../parts/tabs.tsx';
import { useTexts } from '../../texts/texts.ts';
import { ContentList } from './content.tsx';
import { NewContent, OneContent } from './content-form.tsx';
import { Grants } from './grants.tsx';
import { texts } from './texts.ts';

export default function Access() {
  const t = useTexts(texts);
  const may = useMay();
  const state = useListState();
  const { view } = state.values;
  const [isNew] = useRoute('/access/content/new');
  const open = useRecordId('/access/content/:id');
  if (isNew && may('access:write')) return <NewContent />;
  if (open) return <OneContent id={open} />;
  const create = view === 'content' && may('access:write') && (
    <Link className="button primary" href="/access/content/new">
      {t.content.new}
    </Link>
  );
  return (
    <Page title={t.title} lead={view === 'content' ? t.content.lead : t.lead} actions={create}>
      <Views state={state} />
      {view === 'content' ? <ContentList state={state} /> : <Grants state={state} />}
    </Page>
  );
}

function Views({ state }: { readonly state: ListState }) {
  const t = useTexts(texts);
  const { view: current = '' } = state.values;
  const items = (['', 'content'] as const).map((view) => ({
    href: view === '' ? '/access' : `/access?view=${view}`,
    name: t.view[view],
    current: view === current,
  }));
  return <LinkTabs label={t.views} items={items} />;
}
