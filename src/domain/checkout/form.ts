import * as z from 'zod';
import { Email } from '../../lib/email.ts';
import { Phone, codeUpTo, trimmedUpTo } from '../../lib/schemas.ts';
import type { SettingsRow } from '../../schema/platform.ts';

/** A text that can't be stored counts as empty. */
const field = (max = 200) => trimmedUpTo(max).catch('').default('');

const list = z
  .union([z.array(field(64)), field(64).transform((text) => text.split(','))])
  .default([])
  .transform((ids) => ids.filter((id) => id !== ''));

/** Fields that a link to the checkout may fill in. */
const presets = {
  variant: list,
  quantity: field(10),
  coupon: codeUpTo(64).catch('').default(''),
  access_code: field(100),
  name: field(),
  email: field(254),
  ref: field(64),
  link: field(5000),
};

export const CheckoutPresets = z.object(presets);

export const CheckoutForm = z.object({
  ...presets,
  action: field(10),
  key: field(64),
  quote: field(5000),
  phone: Phone.or(field(32)).default(''),
  shipping: field(64),
  address: field(500),
  postal_code: field(20),
  country: field().transform((code) => code.toUpperCase()),
  pay: field(64),
  /** A honeypot: only programs fill it in. */
  website: field(),
});
export type CheckoutForm = z.output<typeof CheckoutForm>;

export const emptyForm = (preset: z.output<typeof CheckoutPresets>): CheckoutForm => ({
  ...CheckoutForm.parse({}),
  ...preset,
});

export type FormField = 'name' | 'email' | 'phone' | 'address' | 'postal_code' | 'country';

/** Normalised; undefined if invalid. */
export const emailOf = ({ email }: CheckoutForm): string | undefined => Email.safeParse(email).data;

/** Returns 1 if the text is no number of units. */
export function quantityOf({ quantity }: Pick<CheckoutForm, 'quantity'>): number {
  const units = Number(quantity);
  return Number.isSafeInteger(units) && units > 0 ? Math.min(units, 1_000_000) : 1;
}

/** @param countries to which the product can be shipped */
export function faultyFields(
  form: CheckoutForm,
  isShipped: boolean,
  countries: readonly string[],
  { shop_phone, shop_postal_code }: Pick<SettingsRow, 'shop_phone' | 'shop_postal_code'>,
): FormField[] {
  const needsPhone = isShipped || shop_phone === 'required';
  const needsPostalCode = isShipped && shop_postal_code === 'required';
  const faults: readonly (readonly [FormField, boolean])[] = [
    ['name', form.name === ''],
    ['email', emailOf(form) === undefined],
    ['phone', !Phone.safeParse(form.phone).success || (needsPhone && form.phone === '')],
    ['address', isShipped && form.address === ''],
    ['postal_code', needsPostalCode && form.postal_code === ''],
    ['country', isShipped && !countries.includes(form.country)],
  ];
  return faults.filter(([, isWrong]) => isWrong).map(([name]) => name);
}
