import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { api } from '../../api/client.ts';
import type { Product } from '../../api/generated.ts';
import { useDraft } from '../../context/draft.ts';
import { DraftForm } from '../../parts/draft-form.tsx';
import { Page } from '../../parts/page.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { useTexts } from '../../texts/texts.ts';
import { Basics, Sale } from './basics.tsx';
import { Affiliate, License, Subscription } from './extras.tsx';
import { Groups } from './groups.tsx';
import { type FormPart, type ProductValues, blank, copyOf, createOf } from './values.ts';
import { Shipping } from './shipping.tsx';
import { texts } from './texts.ts';
import { Variants } from './variants.tsx';

export const Fields = ({ draft, isNew }: FormPart & { readonly isNew: boolean }) => (
  <>
    <Basics draft={draft} isNew={isNew} />
    <Sale draft={draft} />
    <Variants draft={draft} />
    {draft.values.type === 'physical' && <Shipping draft={draft} />}
    {draft.values.payment_type === 'recurring' && <Subscription draft={draft} />}
    <License draft={draft} />
    <Affiliate draft={draft} />
    <Groups draft={draft} />
  </>
);

/** Creates a product, from another one if that is copied. */
export function NewProduct({ source }: { readonly source?: Product | undefined }) {
  const t = useTexts(texts);
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const toast = useToast();
  const first = source ? copyOf(source) : blank;
  const draft = useDraft<ProductValues>(`products/new/${source?.id ?? ''}`, first);
  const create = useMutation({
    mutationFn: async () => (await api.products.create(createOf(draft.values))).data,
    onSuccess: (product) => {
      draft.discard();
      client.setQueryData(['products', product.id], product);
      void client.invalidateQueries({ queryKey: ['products', 'list'] });
      toast(t.saved(product.title));
      navigate(`/products/${product.id}`);
    },
  });
  return (
    <Page title={source ? t.copyOf(source.title) : t.new} lead={source && t.copyLead}>
      <DraftForm draft={draft} save={create} onSave={() => create.mutate()} verb={t.create}>
        <Fields draft={draft} isNew />
      </DraftForm>
    </Page>
  );
}
