import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { api } from '../../api/client.ts';
import type { ApiKeyWithToken } from '../../api/generated.ts';
import { useStore } from '../../context/session.ts';
import { CodeBox } from '../../parts/copy-button.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { SecretBox } from '../../parts/secret-box.tsx';
import { Status } from '../../parts/status.tsx';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

/** A list that a key with these scopes can read first. */
const firstPath = (scopes: readonly string[]): string => {
  const readable = scopes.find((scope) => /^(orders|products|users|coupons):read$/.test(scope));
  return readable
    ? `/${readable.slice(0, readable.indexOf(':'))}?per_page=1`
    : '/orders?per_page=1';
};

/** A new key, shown only once, and its first request as it arrives. */
export function MadeKey({ made }: { readonly made: ApiKeyWithToken }) {
  const t = useTexts(texts).made;
  const { api_base } = useStore();
  const [, navigate] = useLocation();
  const { data } = useQuery({
    queryKey: ['keys', made.id, 'first'],
    queryFn: async ({ signal }) => (await api.keys.get(made.id, { signal })).data.last_used_at,
    refetchInterval: ({ state }) => (state.data ? false : 2000),
  });
  const call = `curl -s '${api_base}${firstPath(made.scopes)}' -H 'Authorization: Bearer ${made.token}'`;
  return (
    <Page title={t.title(made.name)}>
      <SecretBox secret={made.token} label={t.label} onDone={() => navigate(`/keys/${made.id}`)} />
      <Section title={t.try}>
        <CodeBox text={call} label="curl" />
        <p className="first-request" aria-live="polite">
          <Status tone={data ? 'good' : 'wait'}>{data ? t.first : t.waits}</Status>
        </p>
      </Section>
    </Page>
  );
}
