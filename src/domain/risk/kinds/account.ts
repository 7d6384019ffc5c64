const digitsOf = (text: string) => text.replace(/\D/g, '').replace(/^0+/, '');

/** Tells if two texts name one bank account: their digits are equal. */
export const isSameAccount = (a: string, b: string): boolean =>
  digitsOf(a) !== '' && digitsOf(a) === digitsOf(b);
