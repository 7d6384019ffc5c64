import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api } from '../../api/client.ts';
import type { MessageTemplate, TemplateMedium } from '../../api/generated.ts';
import type { ListState } from '../../lib/address.ts';
import { ErrorView } from '../../parts/error-view.tsx';
import { Section } from '../../parts/page.tsx';
import { Select } from '../../parts/select.tsx';
import { Status } from '../../parts/status.tsx';
import { messageWords } from '../../texts/messages.ts';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

const media: readonly TemplateMedium[] = ['email', 'whatsapp'];

export function Templates({ state }: { readonly state: ListState }) {
  const { templates: t } = useTexts(texts);
  const words = useTexts(messageWords);
  const { data, error, refetch } = useQuery({
    queryKey: ['templates'],
    queryFn: async ({ signal }) => (await api.messageTemplates.list({ signal })).data,
  });
  const medium = media.find((each) => each === state.values['medium']) ?? 'email';
  const shown = (data ?? []).filter((template) => template.medium === medium);
  const audiences = Object.entries(t.audiences);
  return (
    <>
      <div className="toolbar">
        <Select
          label={t.medium}
          value={medium}
          options={media.map((each) => [each, words.media[each]])}
          onChange={(value) => state.set({ medium: value })}
        />
      </div>
      {error && <ErrorView error={error} onRetry={() => void refetch()} />}
      {data &&
        audiences.map(([audience, name]) => (
          <Section key={audience} title={name}>
            <ul className="entries">
              {shown
                .filter((template) => template.audience === audience)
                .map((template) => (
                  <li key={template.kind}>
                    <Row template={template} />
                  </li>
                ))}
            </ul>
          </Section>
        ))}
    </>
  );
}

function Row({ template }: { readonly template: MessageTemplate }) {
  const { templates: t } = useTexts(texts);
  const { kinds } = useTexts(messageWords);
  const { kind, medium, active, texts: said } = template;
  const isOwn = said.en.own || said.id.own;
  return (
    <>
      <span className="entry-what">
        <Link href={`/messages/templates/${kind}/${medium}`}>{kinds[kind]}</Link>
        {isOwn && <span className="faint small"> {t.own}</span>}
      </span>
      <Status tone={active ? 'good' : 'neutral'}>{active ? t.on : t.off}</Status>
    </>
  );
}
