export interface RankedRow extends Record<string, unknown> {
  affiliate_id: string;
  display_name: string;
  raw_total: string;
  clicks: string;
  /** In hundredths of a per cent; null without clicks. */
  conversion: string | null;
  rank: string;
}

/** An affiliate's position; null if they have none. */
export interface Standing extends Record<string, unknown> {
  rank: string | null;
  raw_total: string | null;
  of: string;
  next_rank: string | null;
  next_total: string | null;
}
