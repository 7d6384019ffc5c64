import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [times = '', ...files] = process.argv.slice(2);
if (!/^[1-9]\d*$/.test(times)) {
  process.stderr.write('npm run test:repeat -- <times> [test files]\n');
  process.exit(1);
}

/** What is read of the report that Vitest writes as JSON. */
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

/** Texts of all that failed, each with its error, in which fast-check names the seed. */
const failuresIn = ({ testResults }: Report): string[] =>
  testResults.flatMap(({ name, message, assertionResults }) => [
    ...(message ? [`${name}\n${message}`] : []),
    ...assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => [name, fullName, ...failureMessages].join('\n')),
  ]);

const folder = mkdtempSync(join(tmpdir(), 'repeat-'));
const outputFile = join(folder, 'report.json');
for (let round = 1; round <= Number(times); round++) {
  rmSync(outputFile, { force: true });
  const report = ['--reporter=json', `--outputFile=${outputFile}`];
  spawnSync('vitest', ['run', ...report, ...files], { stdio: ['ignore', 'ignore', 'inherit'] });
  const read = JSON.parse(readFileSync(outputFile, 'utf8')) as Report;
  const failures = failuresIn(read);
  process.stdout.write(
    `Round ${round} of ${times}: ${failures.length} failed, of ${read.numTotalTests} tests.\n`,
  );
  for (const failure of failures) process.stdout.write(`\n${failure}\n\n`);
  if (failures.length > 0) process.exitCode = 1;
}
rmSync(folder, { recursive: true });
