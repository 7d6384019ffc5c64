import { expect, test } from 'vitest';
import { Progress } from '../../src/cli/support/progress.ts';

/** Returns the output for a terminal of that width, or for a log. */
function written(columns: number | undefined, work: (progress: Progress, wait: Wait) => void) {
  const texts: string[] = [];
  let now = 1000;
  const output = {
    isTTY: columns !== undefined,
    columns: columns ?? 0,
    write: (text: string) => texts.push(text),
  };
  work(new Progress(output, () => now), (milliseconds) => (now += milliseconds));
  return texts.map((text) => text.replace('\r\u001B[K', ''));
}

type Wait = (milliseconds: number) => unknown;

test('A log has a line for each step', () => {
  const texts = written(undefined, (progress, wait) => {
    progress.at('Read', 0, 2_500_000, 'bytes');
    wait(1000);
    progress.at('Read', 2_500_000, 2_500_000, 'bytes');
    progress.at('Write settings', 1, 1);
    progress.at('Write orders', 28_500, 28_500);
    progress.end();
  });
  expect(texts).toEqual([
    'Read: 2.5 MB\n',
    'Write settings: 1 row\n',
    'Write orders: 28,500 rows\n',
  ]);
});

test('A terminal shows the progress of a step, its rate and the time left', () => {
  const texts = written(120, (progress, wait) => {
    progress.at('Write orders', 0, 30_000);
    wait(1000);
    progress.at('Write orders', 500, 30_000);
    wait(59_000);
    progress.at('Write orders', 30_000, 30_000);
    progress.end();
  });
  const [, half, done] = texts;
  expect(half).toMatch(/^Write orders {14}░{24} {4}1 % {7}500 rows {2}500 rows\/s {2}0:59 left$/);
  expect(done).toMatch(/█{24} {2}100 % {4}30,000 rows {2}500 rows\/s {2}1:00$/);
});

test('A second short of a minute is shown as a whole minute', () => {
  const [, almost] = written(120, (progress, wait) => {
    progress.at('Write orders', 0, 100);
    wait(59_700);
    progress.at('Write orders', 100, 100);
  });
  expect(almost).toMatch(/1:00$/);
});

test.each([120, 80, 60, 40])('No line is as wide as a terminal of %i columns', (columns) => {
  const texts = written(columns, (progress, wait) => {
    progress.at('Look through', 0, 9_999_999_999, 'bytes');
    wait(1000);
    progress.at('Look through', 1_234_567_890, 9_999_999_999, 'bytes');
    progress.at('Write reminder-templates', 0, 1_000_000);
    wait(500);
    progress.at('Write reminder-templates', 999_999, 1_000_000);
  });
  expect(Math.max(...texts.map(({ length }) => length))).toBeLessThan(columns);
});
