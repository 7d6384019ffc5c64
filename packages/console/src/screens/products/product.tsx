import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { api } from '../../api/client.ts';
import type { Product } from '../../api/generated.ts';
import { useSaveRecord } from '../../api/record.ts';
import { useDraft } from '../../context/draft.ts';
import { useMay } from '../../context/session.ts';
import { Button } from '../../parts/button.tsx';
import { DeleteRecord } from '../../parts/delete-record.tsx';
import { DraftForm } from '../../parts/draft-form.tsx';
import { ErrorView } from '../../parts/error-view.tsx';
import { Page } from '../../parts/page.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { useTexts } from '../../texts/texts.ts';
import { Files } from './files.tsx';
import { Fields } from './form.tsx';
import { Preview } from './preview.tsx';
import { type ProductValues, updateOf, valuesOf } from './values.ts';
import { texts } from './texts.ts';

export const useProduct = (id: number) =>
  useQuery({
    queryKey: ['products', id],
    queryFn: async ({ signal }) => (await api.products.get(id, { signal })).data,
  });

export function OneProduct({ id, back }: { readonly id: number; readonly back: string }) {
  const { data, error, refetch } = useProduct(id);
  if (error) return <ErrorView error={error} onRetry={() => void refetch()} />;
  return data ? <Shown key={id} product={data} back={back} /> : null;
}

const publication: Partial<ProductValues> = { status: 'publish' };

interface ShownProps {
  readonly product: Product;
  readonly back: string;
}

function Shown({ product, back }: ShownProps) {
  const t = useTexts(texts);
  const may = useMay();
  const mayWrite = may('products:write');
  const [, navigate] = useLocation();
  const draft = useDraft<ProductValues>(`products/${product.id}`, valuesOf(product));
  const toast = useToast();
  const save = useSaveRecord('products', product, {
    write: async (changes: Partial<ProductValues>) =>
      (await api.products.update(product, updateOf(changes, product))).data,
    onSaved: ({ title }, changes) => {
      if (changes !== publication) draft.discard();
      toast(changes === publication ? t.published(title) : t.saved(title));
    },
  });
  const isChanged = Object.keys(draft.changes).length > 0;
  const actions = (
    <>
      <Link className="button plain" href={back}>
        {t.back}
      </Link>
      {mayWrite && (
        <Link className="button plain" href={`/products/new?copy=${product.id}`}>
          {t.copy}
        </Link>
      )}
      {may('products:delete') && (
        <DeleteRecord
          name={product.title}
          text={t.deletion.text}
          done={t.deletion.done(product.title)}
          of="products"
          remove={() => api.products.delete(product)}
          onGone={() => navigate(back)}
        />
      )}
      {mayWrite && product.status !== 'publish' && (
        <Button look="primary" busy={save.isPending} onClick={() => save.mutate(publication)}>
          {t.publish}
        </Button>
      )}
    </>
  );
  return (
    <Page
      title={product.title}
      lead={mayWrite ? t.statuses[product.status] : t.readOnly}
      actions={actions}
    >
      <div className="beside">
        <div className="form">
          {mayWrite ? (
            <DraftForm draft={draft} save={save} onSave={() => save.mutate(draft.changes)}>
              <Fields draft={draft} isNew={false} />
            </DraftForm>
          ) : (
            <fieldset className="editable" disabled>
              <Fields draft={draft} isNew={false} />
            </fieldset>
          )}
          {may('files:read') && <Files product={product} />}
        </div>
        <Preview key={product.version} product={product} isChanged={isChanged} />
      </div>
    </Page>
  );
}
