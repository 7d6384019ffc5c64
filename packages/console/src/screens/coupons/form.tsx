import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { api } from '../../api/client.ts';
import type { Coupon, CouponRule } from '../../api/generated.ts';
import { useDraft } from '../../context/draft.ts';
import { DraftForm, Marked } from '../../parts/draft-form.tsx';
import { Fold } from '../../parts/fold.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { ProductChoice } from '../../parts/product-choice.tsx';
import {
  AmountField,
  MomentField,
  NumberField,
  SelectField,
  SwitchField,
  TextField,
} from '../../parts/record-fields.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { useTexts } from '../../texts/texts.ts';
import { texts } from './texts.ts';
import { type CouponDraft, type CouponValues, blank, likeOf } from './values.ts';

interface FormPart {
  readonly draft: CouponDraft;
}

/** The fields of a coupon; for a copy, those that its template doesn't set. */
export function Fields({ draft, template }: FormPart & { readonly template: string | null }) {
  const t = useTexts(texts);
  const { values, edit } = draft;
  const coupon = { of: values, edit, words: t.fields };
  return (
    <>
      <div className="fields">
        <TextField {...coupon} name="code" required maxLength={40} pattern="[A-Za-z0-9_\-]{3,40}" />
        <SelectField {...coupon} name="status" options={Object.entries(t.statuses)} />
      </div>
      {template === null ? (
        <>
          <Discount draft={draft} />
          <Copying draft={draft} />
          <Limits draft={draft} />
          <Rules draft={draft} />
        </>
      ) : (
        <p className="hint">{t.fromTemplate(template)}</p>
      )}
    </>
  );
}

function Discount({ draft: { values, edit } }: FormPart) {
  const t = useTexts(texts);
  const part = {
    of: values.discount,
    edit: (changes: object) => edit({ discount: { ...values.discount, ...changes } }),
    words: t.discount,
    path: 'discount.',
  };
  const isFixed = values.discount.type === 'fixed';
  return (
    <Section title={t.sections.discount}>
      <Marked name="discount">
        <div className="fields">
          {isFixed ? (
            <AmountField {...part} name="value" required />
          ) : (
            <NumberField {...part} name="value" required max={100} step={0.0001} />
          )}
          <SelectField {...part} name="type" options={Object.entries(t.types)} />
          {isFixed && <SelectField {...part} name="usage" options={Object.entries(t.usages)} />}
          <SwitchField {...part} name="free_shipping" />
        </div>
      </Marked>
    </Section>
  );
}

function Copying({ draft: { values, edit } }: FormPart) {
  const t = useTexts(texts);
  const { rule } = values;
  const part = {
    of: rule,
    edit: (changes: Partial<CouponRule>) => edit({ rule: { ...rule, ...changes } }),
    words: t.rule,
    path: 'rule.',
  };
  return (
    <Section title={t.sections.copying}>
      <div className="fields">
        <SwitchField {...part} name="use_by_affiliate" />
        {rule.use_by_affiliate && <NumberField {...part} name="limit_affiliate_coupon" required />}
      </div>
    </Section>
  );
}

function Limits({ draft: { values, edit } }: FormPart) {
  const t = useTexts(texts);
  const coupon = { of: values, edit, words: t.fields };
  return (
    <Section title={t.sections.limits}>
      <div className="fields">
        <NumberField {...coupon} name="limit_use" required />
        <NumberField {...coupon} name="limit_use_per_user" required />
        <MomentField {...coupon} name="start_date" />
        <MomentField {...coupon} name="limit_date" />
      </div>
    </Section>
  );
}

function Rules({ draft: { values, edit } }: FormPart) {
  const t = useTexts(texts);
  const { rule } = values;
  const change = (changes: Partial<CouponRule>) => edit({ rule: { ...rule, ...changes } });
  const part = { of: rule, edit: change, words: t.rule, path: 'rule.' };
  const count = rule.apply_only.length;
  return (
    <Fold
      title={t.sections.rules}
      state={count === 0 ? t.anyProduct : t.productsChosen(count)}
      open={count > 0 || rule.first_order_only}
    >
      <Marked name="rule">
        <div className="fold-part">
          <div className="fields">
            <AmountField {...part} name="minimum_amount" required />
            <AmountField {...part} name="max_discount" required />
          </div>
          <SwitchField {...part} name="first_order_only" />
          <SwitchField {...part} name="renewal_coupon" />
          <ProductChoice
            label={t.products}
            hint={t.productsHint}
            chosen={rule.apply_only}
            onChange={(apply_only) => change({ apply_only })}
          />
          <ProductChoice
            label={t.excluded}
            hint={t.excludedHint}
            chosen={rule.cant_apply}
            onChange={(cant_apply) => change({ cant_apply })}
          />
        </div>
      </Marked>
    </Fold>
  );
}

/** Creates a coupon, from another one if that is copied. */
export function NewCoupon({ source }: { readonly source?: Coupon | undefined }) {
  const t = useTexts(texts);
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const toast = useToast();
  const first = source ? likeOf(source) : blank;
  const draft = useDraft<CouponValues>(`coupons/new/${source?.id ?? ''}`, first);
  const create = useMutation({
    mutationFn: async () => (await api.coupons.create(draft.values)).data,
    onSuccess: (coupon) => {
      draft.discard();
      client.setQueryData(['coupons', coupon.id], coupon);
      void client.invalidateQueries({ queryKey: ['coupons', 'list'] });
      toast(t.created(coupon.code));
      navigate(`/coupons/${coupon.id}`);
    },
  });
  return (
    <Page title={source ? t.copyOf(source.code) : t.new}>
      <DraftForm draft={draft} save={create} onSave={() => create.mutate()} verb={t.create}>
        <Fields draft={draft} template={null} />
      </DraftForm>
    </Page>
  );
}
