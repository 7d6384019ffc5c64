/**
 * Gives each coupon its code: the shop's own in capitals, or one made of it where that has other characters than the
 * store takes, no letter (it could be taken for an id), or is another live coupon's.
 */
export function couponCodes(): (wanted: string, id: number, isLive: boolean) => string {
  const taken = new Set<string>();
  return (wanted, id, isLive) => {
    const clean = wanted
      .trim()
      .toUpperCase()
      .replace(/[^A-Z0-9_-]+/g, '-')
      .slice(0, 40);
    const shaped = /[A-Z]/.test(clean) && clean.length >= 3 ? clean : `C-${clean}`.slice(0, 40);
    const code = isLive && taken.has(shaped) ? `${shaped.slice(0, 24)}-${id}` : shaped;
    if (isLive) taken.add(code);
    return code;
  };
}
