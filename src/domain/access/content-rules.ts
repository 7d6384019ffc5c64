import { withoutUndefined } from '../../lib/objects.ts';
import type { ContentRow } from '../../schema/access.ts';
import type { ContentCreate, ContentUpdate } from './content-schemas.ts';
import { firstVersion, nextVersion } from '../../lib/versions.ts';

/** A new content: published, and open to users who have one of its products. */
export function newContent(input: ContentCreate, id: number, now: Date): ContentRow {
  return {
    url: '',
    match: 'any',
    drip_day: 0,
    release_at: null,
    status: 'publish',
    redirect_active: false,
    redirect_link: '',
    messages: {},
    ...withoutUndefined(input),
    id,
    ...firstVersion(now.toISOString()),
  };
}

/** A content after a partial update. */
export const updatedContent = (
  before: ContentRow,
  input: ContentUpdate,
  now: Date,
): ContentRow => ({
  ...before,
  ...withoutUndefined(input),
  ...nextVersion(before, now),
});
