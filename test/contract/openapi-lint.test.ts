import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { document, document30 } from './openapi.ts';
import { long } from '../harness/long.ts';

const here = import.meta.dirname;
const linter = resolve(here, '../../node_modules/@redocly/cli/bin/cli.js');

long(
  'a linter finds nothing wrong with either form of the document',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'openapi-lint-'));
    try {
      await copyFile(join(here, 'redocly.yaml'), join(folder, 'redocly.yaml'));
      await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
      await writeFile(join(folder, 'openapi-3.0.json'), JSON.stringify(document30));
      const lint = promisify(execFile)(process.execPath, [linter, 'lint'], {
        cwd: folder,
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      });
      const found = await lint.then(
        () => '',
        (error: { stdout: string }) => error.stdout,
      );
      expect(found).toBe('');
    } finally {
      await rm(folder, { recursive: true });
    }
  },
  60_000,
);
