import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError, command } from '../src/cli/support/command.ts';

const usage = `npm run test:repeat -- TIMES [TESTS]

Runs the tests so many times, all of them or those whose path has TESTS in it, and prints what failed, with the seed where
chance decides.`;

interface Report {
  readonly numTotalTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** The failed tests with their errors, in which fast-check names the seed. */
const failuresIn = ({ testResults }: Report): string[] =>
  testResults.flatMap(({ name, message, assertionResults }) => [
    ...(message ? [`${name}\n${message}`] : []),
    ...assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => [name, fullName, ...failureMessages].join('\n')),
  ]);

function round(tests: readonly string[], outputFile: string): Report {
  const report = ['--reporter=json', `--outputFile=${outputFile}`];
  spawnSync('vitest', ['run', ...report, ...tests], { stdio: ['ignore', 'ignore', 'inherit'] });
  return JSON.parse(readFileSync(outputFile, 'utf8')) as Report;
}

await command({ usage, words: ['TIMES', '[TESTS]'] }, async ({ words: [times = '', ...tests] }) => {
  if (!/^[1-9]\d*$/.test(times)) throw new UsageError(`TIMES is a number, not "${times}".`);
  const folder = mkdtempSync(join(tmpdir(), 'repeat-'));
  let failed = 0;
  for (let i = 1; i <= Number(times); i++) {
    const report = round(tests, join(folder, `${i}.json`));
    const failures = failuresIn(report);
    console.log(
      `Round ${i} of ${times}: ${failures.length} failed, of ${report.numTotalTests} tests.`,
    );
    for (const failure of failures) console.log(`\n${failure}\n`);
    failed += failures.length;
  }
  rmSync(folder, { recursive: true });
  return failed > 0 ? 1 : 0;
});
