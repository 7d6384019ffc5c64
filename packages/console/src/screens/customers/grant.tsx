import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { User } from '../../api/generated.ts';
import { useStore } from '../../context/session.ts';
import { instantIn } from '../../lib/local-time.ts';
import { ActionForm } from '../../parts/action-form.tsx';
import { Field, TextInput } from '../../parts/field.tsx';
import { useProducts } from '../../parts/product-choice.tsx';
import { Select } from '../../parts/select.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';

interface GrantProps {
  readonly user: User;
  readonly onDone: () => void;
}

/** Gives a customer a product without an order. */
export function Grant({ user, onDone }: GrantProps) {
  const t = useTexts(texts).grant;
  const { timezone } = useStore();
  const client = useQueryClient();
  const toast = useToast();
  const [chosen, setChosen] = useState('');
  const [ends, setEnds] = useState('');
  const [note, setNote] = useState('');
  const products = useProducts() ?? [];
  const product = products.find(({ id }) => String(id) === chosen) ?? products[0];
  const grant = useMutation({
    mutationFn: () =>
      api.access.create({
        user_id: user.id,
        product_id: product?.id ?? 0,
        ...(ends && { end_active: instantIn(timezone, `${ends}T23:59`) }),
        ...(note && { note }),
      }),
    onSuccess: () => {
      toast(t.done(product?.title ?? '', user.display_name));
      void client.invalidateQueries({ queryKey: ['users', user.id] });
      onDone();
    },
  });
  return (
    <ActionForm
      className="action"
      action={grant}
      verb={t.verb}
      disabled={!product}
      onSubmit={() => grant.mutate()}
      onCancel={onDone}
    >
      <p>{t.text}</p>
      <Field name="product_id" label={t.product} error={grant.error} required>
        <Select
          value={String(product?.id ?? '')}
          options={products.map(({ id, title }) => [String(id), title])}
          onChange={setChosen}
        />
      </Field>
      <Field name="end_active" label={t.ends} hint={t.endsHint} error={grant.error}>
        <TextInput type="date" value={ends} onChange={({ target }) => setEnds(target.value)} />
      </Field>
      <Field name="note" label={t.note} error={grant.error}>
        <TextInput value={note} onChange={({ target }) => setNote(target.value)} />
      </Field>
    </ActionForm>
  );
}
