import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { api } from '../../api/client.ts';
import type { Content, ContentMatch, ContentStatus } from '../../api/generated.ts';
import { useSaveRecord } from '../../api/record.ts';
import { type Draft, useDraft } from '../../context/draft.ts';
import { useMay } from '../../context/session.ts';
import { DeleteRecord } from '../../parts/delete-record.tsx';
import { DraftForm, Marked } from '../../parts/draft-form.tsx';
import { ErrorView } from '../../parts/error-view.tsx';
import { Page } from '../../parts/page.tsx';
import { ProductChoice } from '../../parts/product-choice.tsx';
import { MomentField, NumberField, SelectField, TextField } from '../../parts/record-fields.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

interface Values {
  readonly title: string;
  readonly url: string;
  readonly product_ids: readonly number[];
  readonly match: ContentMatch;
  readonly drip_day: number;
  readonly release_at: string | null;
  readonly status: ContentStatus;
}

const blank: Values = {
  ...{ title: '', url: '', product_ids: [], match: 'any', drip_day: 0 },
  ...{ release_at: null, status: 'publish' },
};

const valuesOf = ({ title, url, product_ids, match, drip_day, release_at, status }: Content) => ({
  ...{ title, url, product_ids, match, drip_day, release_at, status },
});

function Fields({ draft: { values, edit } }: { readonly draft: Draft<Values> }) {
  const { content: t } = useTexts(texts);
  const part = { of: values, edit, words: t.fields };
  return (
    <>
      <TextField {...part} name="title" required />
      <TextField {...part} name="url" />
      <Marked name="product_ids">
        <ProductChoice
          label={t.products}
          hint={t.productsHint}
          chosen={values.product_ids}
          onChange={(product_ids) => edit({ product_ids })}
        />
      </Marked>
      {values.product_ids.length > 1 && (
        <SelectField {...part} name="match" options={Object.entries(t.matches)} />
      )}
      <div className="fields">
        <NumberField {...part} name="drip_day" required />
        <MomentField {...part} name="release_at" />
      </div>
      <SelectField {...part} name="status" options={Object.entries(t.statuses)} />
    </>
  );
}

const Back = () => (
  <Link className="button plain" href="/access?view=content">
    {useTexts(texts).content.back}
  </Link>
);

export function NewContent() {
  const { content: t } = useTexts(texts);
  const client = useQueryClient();
  const toast = useToast();
  const [, navigate] = useLocation();
  const draft = useDraft<Values>('content/new', blank);
  const create = useMutation({
    mutationFn: async () => (await api.access.createContent(draft.values)).data,
    onSuccess: ({ title }) => {
      draft.discard();
      toast(t.created(title));
      void client.invalidateQueries({ queryKey: ['content'] });
      navigate('/access?view=content');
    },
  });
  return (
    <Page title={t.new} actions={<Back />}>
      <DraftForm
        draft={draft}
        save={create}
        onSave={() => create.mutate()}
        verb={t.create}
        disabled={draft.values.product_ids.length === 0}
      >
        <Fields draft={draft} />
      </DraftForm>
    </Page>
  );
}

export function OneContent({ id }: { readonly id: number }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['content', id],
    queryFn: async ({ signal }) => (await api.access.getContent(id, { signal })).data,
  });
  if (error) return <ErrorView error={error} onRetry={() => void refetch()} />;
  return data ? <Shown content={data} /> : null;
}

function Shown({ content }: { readonly content: Content }) {
  const { content: t } = useTexts(texts);
  const may = useMay();
  const toast = useToast();
  const [, navigate] = useLocation();
  const draft = useDraft<Values>(`content/${content.id}`, valuesOf(content));
  const save = useSaveRecord('content', content, {
    write: async (changes: Partial<Values>) =>
      (await api.access.updateContent(content, changes)).data,
    onSaved: ({ title }) => {
      draft.discard();
      toast(t.saved(title));
    },
  });
  const actions = (
    <>
      <Back />
      {may('access:delete') && (
        <DeleteRecord
          name={content.title}
          text={t.removeText}
          done={t.removed(content.title)}
          of="content"
          remove={() => api.access.deleteContent(content)}
          onGone={() => navigate('/access?view=content')}
        />
      )}
    </>
  );
  return (
    <Page title={content.title} actions={actions}>
      <fieldset className="editable" disabled={!may('access:write')}>
        <DraftForm draft={draft} save={save} onSave={() => save.mutate(draft.changes)}>
          <Fields draft={draft} />
        </DraftForm>
      </fieldset>
    </Page>
  );
}
