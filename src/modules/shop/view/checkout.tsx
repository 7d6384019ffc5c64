/** @jsxImportSource hono/jsx */
import type { CheckoutForm, FormField } from '../../../domain/checkout/form.ts';
import type { Offer } from '../../../domain/checkout/offer.ts';
import { unitsLeft } from '../../../domain/product/rules.ts';
import { CountrySelect, Field } from './field.tsx';
import { pageOf } from './layout.tsx';
import type { FieldDemand, StoreView } from './store.ts';
import { Summary } from './summary.tsx';

/** Why the checkout is shown again. */
export type CheckoutNotice = 'faults' | 'closed' | 'changed' | 'choice' | 'soldOut' | 'linkOver';

interface CheckoutState {
  /** Signs the shown price. */
  readonly quote: string;
  /** Names the form, which makes one order. */
  readonly key: string;
  readonly notice: CheckoutNotice | undefined;
  readonly faults: readonly FormField[];
}

interface Part {
  readonly store: StoreView;
  readonly offer: Offer;
}

export function checkoutPage(store: StoreView, offer: Offer, state: CheckoutState): string {
  const { texts } = store;
  const { form, row } = offer;
  const reason = shutReason(store, offer);
  return pageOf({
    store,
    title: `${texts.checkout}: ${row.product.title}`,
    isPrivate: true,
    children: reason ? (
      <div class="narrow card">
        <h1>{row.product.title}</h1>
        {/* It also takes the place of the summary of a page that was opened before. */}
        <p class="problem" id="summary" role="alert">
          {reason}
        </p>
      </div>
    ) : (
      <form
        class="checkout"
        method="post"
        action={`/checkout/${encodeURIComponent(row.product.slug)}`}
        data-live-form
        novalidate
      >
        <h1>{row.product.title}</h1>
        {state.notice && (
          <p class="problem" role="alert">
            {texts.notices[state.notice]}
          </p>
        )}
        <div class="stack">
          {/* The Enter key presses the first button. */}
          <button class="visually-hidden" tabindex={-1} name="action" value="price">
            {texts.update}
          </button>
          <input type="hidden" name="key" value={state.key} />
          <input type="hidden" name="ref" value={form.ref} />
          <input type="hidden" name="link" value={form.link} />
          <p class="away" aria-hidden="true">
            <label>
              Website <input name="website" tabindex={-1} autocomplete="off" />
            </label>
          </p>
          <Choices store={store} offer={offer} />
          <Person store={store} offer={offer} faults={state.faults} />
          {offer.isShipped && <Delivery store={store} offer={offer} faults={state.faults} />}
          <Ways store={store} offer={offer} />
        </div>
        <Summary store={store} offer={offer} quote={state.quote} />
      </form>
    ),
  });
}

/** Undefined if the product can be ordered, if need be with an access code. */
function shutReason(
  { texts }: StoreView,
  { row: { product, stock }, isClosed }: Offer,
): string | undefined {
  if (unitsLeft(stock, '') === 0) return texts.soldOut;
  return isClosed && product.access_code === '' ? texts.closed : undefined;
}

const Choices = ({ store: { texts, money }, offer: { form, row, isClosed } }: Part) => {
  const { product, stock } = row;
  const { variants, enable_quantity, subscription, license } = product;
  const hasQuantity = enable_quantity && (!subscription.active || license.active);
  return (
    <div class="card stack" id="choices">
      {variants.map((group) => (
        <Field label={group.label} id={`variant-${group.id}`}>
          <select id={`variant-${group.id}`} name="variant">
            {!group.required && <option value="">{texts.none}</option>}
            {group.options
              .filter(({ active }) => active)
              .map(({ id, label, extra_price }) => (
                <option value={id} selected={form.variant.includes(id)}>
                  {label}
                  {extra_price > 0 && ` (+${money(extra_price)})`}
                  {unitsLeft(stock, id) === 0 && ` (${texts.soldOut})`}
                </option>
              ))}
          </select>
        </Field>
      ))}
      {hasQuantity && (
        <Field label={texts.quantity} id="quantity">
          <input
            id="quantity"
            name="quantity"
            inputmode="numeric"
            class="short"
            value={form.quantity}
          />
        </Field>
      )}
      {product.access_code !== '' && (isClosed || form.access_code !== '') && (
        <Field label={texts.accessCode} id="access_code">
          <input id="access_code" name="access_code" value={form.access_code} autocomplete="off" />
        </Field>
      )}
      <Field label={texts.coupon} id="coupon" hint={texts.optional}>
        <span class="beside">
          <input id="coupon" name="coupon" value={form.coupon} autocomplete="off" />
          <button class="button" name="action" value="price">
            {texts.update}
          </button>
        </span>
      </Field>
    </div>
  );
};

type PersonPart = Part & { readonly faults: readonly FormField[] };

const Person = ({ store, offer: { form, isShipped }, faults }: PersonPart) => {
  const { texts } = store;
  const phone = isShipped ? 'required' : store.phone;
  const fault = (name: FormField) => (faults.includes(name) ? texts.required[name] : undefined);
  return (
    <fieldset class="card stack">
      <legend>{texts.yourDetails}</legend>
      <Field label={texts.name} id="name" fault={fault('name')}>
        <input id="name" name="name" value={form.name} autocomplete="name" required />
      </Field>
      <Field
        label={texts.email}
        id="email"
        fault={fault('email')}
        hint={form.link === '' ? undefined : texts.verified}
      >
        <input
          id="email"
          name="email"
          type="email"
          value={form.email}
          autocomplete="email"
          readonly={form.link !== ''}
          required
        />
      </Field>
      <DemandedField
        store={store}
        form={form}
        name="phone"
        label={texts.phone}
        demand={phone}
        fault={fault('phone')}
        type="tel"
        autocomplete="tel"
      />
    </fieldset>
  );
};

interface DemandedFieldProps {
  readonly store: StoreView;
  readonly form: CheckoutForm;
  readonly name: 'phone' | 'postal_code';
  readonly label: string;
  readonly demand: FieldDemand;
  readonly fault: string | undefined;
  readonly type?: string;
  readonly class?: string;
  readonly autocomplete: string;
}

/** The store's settings require, offer or leave out this field. */
const DemandedField = (props: DemandedFieldProps) => {
  const { store, form, name, label, demand, fault, ...input } = props;
  if (demand === 'off') return null;
  const isRequired = demand === 'required';
  return (
    <Field
      label={label}
      id={name}
      fault={fault}
      hint={isRequired ? undefined : store.texts.optional}
    >
      <input id={name} name={name} value={form[name]} required={isRequired} {...input} />
    </Field>
  );
};

const Delivery = ({ store, offer: { form, shipping, countries }, faults }: PersonPart) => {
  const { texts, money, language, postalCode } = store;
  const fault = (name: FormField) => (faults.includes(name) ? texts.required[name] : undefined);
  return (
    <fieldset class="card stack" id="delivery">
      <legend>{texts.delivery}</legend>
      <Field label={texts.address} id="address" fault={fault('address')}>
        <textarea id="address" name="address" rows={3} autocomplete="street-address" required>
          {form.address}
        </textarea>
      </Field>
      <DemandedField
        store={store}
        form={form}
        name="postal_code"
        label={texts.postalCode}
        demand={postalCode}
        fault={fault('postal_code')}
        class="short"
        autocomplete="postal-code"
      />
      <Field label={texts.country} id="country" fault={fault('country')}>
        <CountrySelect language={language} codes={countries} value={form.country} required />
      </Field>
      {shipping.length > 0 && (
        <Radios
          name="shipping"
          legend={texts.shippingBy}
          chosen={form.shipping}
          options={shipping.map(({ id, label, cost, ...days }) => ({
            id,
            title: label,
            note: [
              cost > 0 && money(cost),
              days.etd_days_max > 0 && texts.days(days.etd_days_min, days.etd_days_max),
            ]
              .filter(Boolean)
              .join(' · '),
          }))}
        />
      )}
    </fieldset>
  );
};

const Ways = ({ store: { texts }, offer: { ways, form } }: Part) => (
  <div id="ways">
    {ways.length > 0 && (
      <div class="card">
        <Radios
          name="pay"
          legend={texts.payBy}
          chosen={form.pay}
          options={ways.map(({ id, title, options }) => ({
            id,
            title: texts.gateways[id] ?? title,
            note: options.map(({ bank }) => bank).join(', '),
          }))}
        />
      </div>
    )}
  </div>
);

interface RadioProps {
  readonly name: string;
  readonly legend: string;
  readonly chosen: string;
  readonly options: readonly { id: string; title: string; note: string }[];
}

const Radios = ({ name, legend, chosen, options }: RadioProps) => (
  <fieldset class="radios" id={name}>
    <legend>{legend}</legend>
    {options.map(({ id, title, note }) => (
      <label>
        <input type="radio" name={name} value={id} checked={id === chosen} />
        <span>
          {title}
          {note && <span class="faint"> {note}</span>}
        </span>
      </label>
    ))}
  </fieldset>
);
