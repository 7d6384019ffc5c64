import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { api } from '../../api/client.ts';
import type { Coupon } from '../../api/generated.ts';
import { useSaveRecord } from '../../api/record.ts';
import { useDraft } from '../../context/draft.ts';
import { useMay } from '../../context/session.ts';
import { cartOf, firstChoices, firstWith } from '../../parts/cart.ts';
import { Button } from '../../parts/button.tsx';
import { DeleteRecord } from '../../parts/delete-record.tsx';
import { DraftForm } from '../../parts/draft-form.tsx';
import { ErrorView } from '../../parts/error-view.tsx';
import { Field } from '../../parts/field.tsx';
import { Facts, Page } from '../../parts/page.tsx';
import { PriceLines, Unpriced, priceOf } from '../../parts/price-lines.tsx';
import { useProducts } from '../../parts/product-choice.tsx';
import { Select } from '../../parts/select.tsx';
import { Time } from '../../parts/time.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { useLocale, useTexts } from '../../texts/texts.ts';
import { Fields } from './form.tsx';
import { texts } from './texts.ts';
import { type CouponValues, valuesOf } from './values.ts';
import { CouponState, useDiscountWords } from './words.tsx';

export const useCoupon = (id: number) =>
  useQuery({
    queryKey: ['coupons', id],
    queryFn: async ({ signal }) => (await api.coupons.get(String(id), { signal })).data,
  });

export function OneCoupon({ id, back }: { readonly id: number; readonly back: string }) {
  const { data, error, refetch } = useCoupon(id);
  if (error) return <ErrorView error={error} onRetry={() => void refetch()} />;
  return data ? <Shown key={id} coupon={data} back={back} /> : null;
}

/** Enables or disables a coupon, without losing typed values. */
const on: Partial<CouponValues> = { status: 'active' };
const off: Partial<CouponValues> = { status: 'pending' };

interface ShownProps {
  readonly coupon: Coupon;
  readonly back: string;
}

function Shown({ coupon, back }: ShownProps) {
  const t = useTexts(texts);
  const toast = useToast();
  const may = useMay();
  const mayWrite = may('coupons:write');
  const [, navigate] = useLocation();
  const wordsOf = useDiscountWords();
  const draft = useDraft<CouponValues>(`coupons/${coupon.id}`, valuesOf(coupon));
  const save = useSaveRecord('coupons', coupon, {
    write: async (changes: Partial<CouponValues>) =>
      (await api.coupons.update(coupon, changes)).data,
    onSaved: ({ code }, changes) => {
      if (changes !== on && changes !== off) draft.discard();
      toast(t.saved(code));
    },
  });
  const isOn = coupon.status === 'active';
  const verb = coupon.status === 'need-approve' ? t.approve : t.switchOn;
  const actions = (
    <>
      <Link className="button plain" href={back}>
        {t.back}
      </Link>
      {may('coupons:delete') && (
        <DeleteRecord
          name={coupon.code}
          text={t.deletion.text}
          done={t.deletion.done(coupon.code)}
          of="coupons"
          remove={() => api.coupons.delete(coupon)}
          onGone={() => navigate(back)}
        />
      )}
      {mayWrite && (
        <>
          {coupon.coupon_parent_id === null && (
            <Link className="button plain" href={`/coupons/new?copy=${coupon.id}`}>
              {t.copy}
            </Link>
          )}
          <Button
            look={isOn ? 'danger' : 'primary'}
            busy={save.isPending}
            onClick={() => save.mutate(isOn ? off : on)}
          >
            {isOn ? t.switchOff : verb}
          </Button>
        </>
      )}
    </>
  );
  const fields = <Fields draft={draft} template={coupon.coupon_parent_code} />;
  return (
    <Page title={coupon.code} lead={mayWrite ? wordsOf(coupon) : t.readOnly} actions={actions}>
      <div className="beside">
        {mayWrite ? (
          <DraftForm draft={draft} save={save} onSave={() => save.mutate(draft.changes)}>
            {fields}
          </DraftForm>
        ) : (
          <fieldset className="editable" disabled>
            {fields}
          </fieldset>
        )}
        <aside className="card" aria-label={t.preview.title}>
          <Preview coupon={coupon} />
          <Use coupon={coupon} />
        </aside>
      </div>
    </Page>
  );
}

/** Prices a product with the coupon. */
function Preview({ coupon }: { readonly coupon: Coupon }) {
  const t = useTexts(texts).preview;
  const may = useMay();
  const products = useProducts()?.filter(({ status }) => status === 'publish') ?? [];
  const [chosen, setChosen] = useState('');
  const product =
    products.find(({ id }) => id === Number(chosen)) ??
    firstWith(coupon.rule, products, new Date());
  const { data, error } = useQuery({
    queryKey: ['coupons', coupon.id, 'price', coupon.version, product?.id, product?.version],
    queryFn: product
      ? ({ signal }) => priceOf(cartOf(product, firstChoices(product, coupon.code)), signal)
      : skipToken,
    placeholderData: keepPreviousData,
    enabled: may('checkout:read'),
  });
  if (!may('checkout:read') || !product) return null;
  return (
    <>
      <h2>{t.title}</h2>
      <Field name="product" label={t.product} required>
        <Select
          value={String(product.id)}
          options={products.map(({ id, title }) => [String(id), title])}
          onChange={setChosen}
        />
      </Field>
      {error && <Unpriced error={error} />}
      {data && !error && <PriceLines priced={data} />}
    </>
  );
}

function Use({ coupon }: { readonly coupon: Coupon }) {
  const t = useTexts(texts);
  const may = useMay();
  const locale = useLocale();
  const number = (count: number) => count.toLocaleString(locale);
  const { usage, limit_use, rule } = coupon;
  const used = limit_use > 0 ? t.use.left(number(usage), number(limit_use)) : number(usage);
  return (
    <>
      <h2>{t.use.title}</h2>
      <Facts
        items={[
          [t.columns.state, <CouponState coupon={coupon} />],
          [t.use.used, used],
          [
            t.use.orders,
            usage > 0 && may('orders:read') && (
              <Link href={`/orders?search=${encodeURIComponent(coupon.code)}`}>{t.use.open}</Link>
            ),
          ],
          [
            t.use.copies,
            rule.use_by_affiliate && coupon.coupon_parent_id === null && (
              <Link href={`/coupons?copies=${coupon.id}&code=${coupon.code}`}>{t.use.copies}</Link>
            ),
          ],
          [t.use.made, <Time at={coupon.created_at} />],
        ]}
      />
    </>
  );
}
