const digitsOf = (text: string) => text.replace(/\D/g, '').replace(/^0+/, '');

/** Compares the digits. */
export const isSameAccount = (a: string, b: string): boolean =>
  digitsOf(a) !== '' && digitsOf(a) === digitsOf(b);
