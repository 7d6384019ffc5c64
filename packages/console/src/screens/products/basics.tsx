import { Marked } from '../../parts/draft-form.tsx';
import { Fold } from '../../parts/fold.tsx';
import { Section } from '../../parts/page.tsx';
import {
  AmountField,
  LongTextField,
  MomentField,
  NumberField,
  SelectField,
  SwitchField,
  TextField,
} from '../../parts/record-fields.tsx';
import { useTexts } from '../../texts/texts.ts';
import { Picture } from './picture.tsx';
import { type FormPart, ofPayment, ofType } from './values.ts';
import { texts } from './texts.ts';

const namesOf = <T extends string>(names: Readonly<Record<T, string>>) =>
  Object.entries(names) as [T, string][];

export function Basics({ draft, isNew }: FormPart & { readonly isNew: boolean }) {
  const t = useTexts(texts);
  const { values, edit } = draft;
  const product = { of: values, edit, words: t.fields };
  const tax = {
    of: values.tax,
    words: t.tax,
    path: 'tax.',
    edit: (changes: object) => edit({ tax: { ...values.tax, ...changes } }),
  };
  return (
    <>
      <Section title={t.sections.basics}>
        <TextField {...product} name="title" required maxLength={300} />
        <div className="fields">
          <AmountField {...product} name="price" required />
          <AmountField {...product} name="regular_price" />
          <SelectField {...product} name="status" options={namesOf(t.statuses)} />
          {isNew && (
            <>
              <SelectField
                {...product}
                name="type"
                options={namesOf(t.types)}
                edit={({ type = values.type }) => edit(ofType(type))}
              />
              <SelectField
                {...product}
                name="payment_type"
                options={namesOf(t.paymentTypes)}
                edit={({ payment_type = values.payment_type }) => edit(ofPayment(payment_type))}
              />
              <TextField {...product} name="slug" maxLength={200} pattern="[a-z0-9\-]*" />
            </>
          )}
        </div>
        <Marked name="tax">
          <div className="fields">
            <SwitchField {...tax} name="enabled" />
            {values.tax.enabled && (
              <>
                <NumberField {...tax} name="rate" required max={100} step={0.0001} />
                <SwitchField {...tax} name="inclusive" />
              </>
            )}
          </div>
        </Marked>
        <LongTextField {...product} name="excerpt" rows={2} />
        <LongTextField {...product} name="description" rows={6} />
      </Section>
      <Section title={t.sections.picture}>
        <Picture draft={draft} />
      </Section>
    </>
  );
}

export function Sale({ draft: { values, edit } }: FormPart) {
  const t = useTexts(texts);
  const product = { of: values, edit, words: t.fields };
  const { enable_sale, stock } = values;
  const state = enable_sale ? (stock ?? t.uncounted) : t.closed;
  return (
    <Fold title={t.sections.sale} state={state} open={stock !== null || !enable_sale}>
      <SwitchField {...product} name="enable_sale" />
      <SwitchField {...product} name="enable_quantity" />
      <div className="fields">
        <NumberField {...product} name="stock" />
        {values.enable_quantity && <NumberField {...product} name="max_quantity" min={1} />}
        <MomentField {...product} name="disable_sale_time" />
        <NumberField {...product} name="limit_buy_time" required max={525_600} />
        <TextField {...product} name="access_code" maxLength={100} />
      </div>
    </Fold>
  );
}
