/** Gives each product its slug: the shop's own, or what tells it from others where it has none that can be kept. */
export function uniqueSlugs(): (wanted: string, id: number) => string {
  const taken = new Set<string>();
  return (wanted, id) => {
    const clean = decoded(wanted)
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 180);
    const slug =
      clean === '' || /^\d+$/.test(clean) || taken.has(clean)
        ? `${clean || 'product'}-${id}`
        : clean;
    taken.add(slug);
    return slug;
  };
}

/** WordPress keeps slugs of other alphabets percent-encoded. */
function decoded(slug: string): string {
  try {
    return decodeURIComponent(slug);
  } catch {
    return slug;
  }
}
