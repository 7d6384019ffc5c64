import type { ComponentType } from 'react';
import { useRoute } from 'wouter';
import { useStore } from '../../context/session.ts';
import { ErrorView } from '../../parts/error-view.tsx';
import { Page } from '../../parts/page.tsx';
import { LinkTabs } from '../../parts/tabs.tsx';
import { useTexts } from '../../texts/texts.ts';
import { Looks } from './looks.tsx';
import { Messages } from './messages.tsx';
import { Payments } from './payments.tsx';
import { Selling } from './selling.tsx';
import { type SettingsPart, useSetup } from './setup.ts';
import { Shop } from './shop.tsx';
import { StoreSettings } from './store.tsx';
import { texts } from './texts.ts';

const parts: Readonly<Record<keyof (typeof texts)['en']['parts'], ComponentType<SettingsPart>>> = {
  store: StoreSettings,
  shop: Shop,
  payments: Payments,
  messages: Messages,
  selling: Selling,
  console: Looks,
};

const names = Object.keys(parts) as (keyof typeof parts)[];

export default function Settings() {
  const t = useTexts(texts);
  const [, params] = useRoute('/settings/:part');
  const { data, error, refetch } = useSetup();
  const hasShop = useStore().shop_url !== null;
  const offered = names.filter((name) => name !== 'shop' || hasShop);
  const current = offered.find((name) => name === params?.part) ?? 'store';
  const Part = parts[current];
  return (
    <Page title={t.title} lead={t.lead}>
      <LinkTabs
        label={t.title}
        items={offered.map((name) => ({
          href: name === 'store' ? '/settings' : `/settings/${name}`,
          name: t.parts[name],
          current: name === current,
        }))}
      />
      {error && <ErrorView error={error} onRetry={() => void refetch()} />}
      {data && <Part key={current} setup={data} />}
    </Page>
  );
}
