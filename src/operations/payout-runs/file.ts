import type { ReadAccess } from '../../kernel/command/store.ts';
import { apiKey, csvFile, endpoint, IdParams } from '../../kernel/endpoint/declare.ts';
import { refuse } from '../../kernel/errors/errors.ts';
import { pagesOf } from '../../kernel/lists/pages.ts';
import { fileTexts, headingOf } from '../../domain/payout/forms/index.ts';
import { type LineRow, type RunRow, toFileLine } from '../../domain/payout/run-rules.ts';
import { FileQuery, shownLines } from '../../domain/payout/run-schemas.ts';
import { findLines } from '../../queries/payout-lines.ts';
import { findRun } from '../../queries/payout-runs.ts';
import { findSettings } from '../../queries/settings.ts';

const type = 'text/csv; header=present';

export const payoutRunFile = endpoint({
  id: 'payoutRuns.file',
  route: ['GET /payout-runs/:id.csv'],
  summary: 'Get the file of a payout run',
  description:
    'The payable lines, as CSV to upload to a bank. A draft shows the present accounts and is marked as a draft. A confirmed run shows the copies made at the confirmation; a copy is deleted once its line has a result. The forms of banks follow guides of third parties: compare them with the template of your bank before the first upload.',
  access: apiKey('payouts:read'),
  effect: 'read',
  params: IdParams,
  query: FileQuery,
  headers: { 'content-type': `${type}; charset=UTF-8` },
  reply: [200, csvFile],
  errors: ['rest_not_found'],
}).handle(async ({ params, query: { form }, db, now, file }) => {
  const { found, settings, lines } = await db.query({
    found: findRun(params.id, now),
    settings: findSettings(),
    lines: findLines(params.id, now),
  });
  const [row] = found;
  const [store] = settings;
  if (!row || !store) return refuse('rest_not_found');
  const text = (some: readonly LineRow[]) =>
    fileTexts(
      form,
      some.filter(({ payable }) => payable).map((line) => toFileLine(row, line, store)),
    );
  return file({ name: nameOf(row, form), type, texts: textsOf() });

  async function* textsOf() {
    yield headingOf(form) + text(lines);
    for await (const more of linesAfter(db, params.id, lines, now)) yield text(more);
  }
});

const nameOf = ({ run }: RunRow, form: string) =>
  `payout-run-${run.id}${run.status === 'draft' ? '-draft' : ''}-${form}.csv`;

async function* linesAfter(
  db: ReadAccess,
  run_id: number,
  first: readonly LineRow[],
  now: Date,
): AsyncGenerator<readonly LineRow[], void> {
  if (first.length < shownLines) return;
  yield* pagesOf(first.at(-1)?.id, async (after: number | undefined, size) => {
    const { lines } = await db.query({ lines: findLines(run_id, now, after, size) });
    return { page: lines, next: lines.length < size ? undefined : lines.at(-1)?.id };
  });
}
