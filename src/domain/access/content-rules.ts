import { withoutUndefined } from '../../lib/objects.ts';
import type { ContentRow } from '../../schema/access.ts';
import type { ContentCreate, ContentUpdate } from './content-schemas.ts';
import { firstVersion, nextVersion } from '../../lib/versions.ts';

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

export const updatedContent = (
  before: ContentRow,
  input: ContentUpdate,
  now: Date,
): ContentRow => ({
  ...before,
  ...withoutUndefined(input),
  ...nextVersion(before, now),
});
