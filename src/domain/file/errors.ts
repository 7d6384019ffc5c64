import type { ErrorTable } from '../../kernel/errors/errors.ts';

export const fileErrors = {
  file_not_uploading: [409, 'This file has no upload under way.'],
  file_incomplete: [409, 'Parts of this file are missing.'],
  download_closed: [403, 'You have no access to this file now.'],
  download_expired: [410, 'This link has expired. Get a new one.'],
  download_limit: [429, 'This file was downloaded too often today. Try again tomorrow.'],
  download_range: [416, 'The file has no bytes in this range.'],
} as const satisfies ErrorTable;
