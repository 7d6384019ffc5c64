import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import manifest from '../package.json' with { type: 'json' };

// Runs each script `check:…` of package.json in order, two at a time, except the one for deployments.

/** Limits the compiler and the linter to one core each with rare garbage collection: two programs run at a time. */
const spare = { GOMAXPROCS: '1', GOGC: '400' };

async function run(script: string): Promise<void> {
  const child = spawn(`npm run --silent ${script} 2>&1`, {
    shell: true,
    env: { ...process.env, ...spare },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const end = new Promise((resolve) => child.on('close', resolve));
  const output = await text(child.stdout);
  const code = await end;
  process.stdout.write(code === 0 ? `${script}: passed\n` : `${script}: FAILED\n${output}\n`);
  if (code !== 0) process.exitCode = 1;
}

const waiting = Object.keys(manifest.scripts)
  .filter((name) => name.startsWith('check:') && name !== 'check:deployment')
  .values();
const places = [1, 2].map(async () => {
  for (const script of waiting) await run(script);
});
await Promise.all(places);
