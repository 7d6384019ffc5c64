import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { quoted } from '../../src/lib/shell.ts';

test.each(['you@demo.example', "`id`@demo.example'", 'a&b$HOME|c@demo.example', '', "'"])(
  'A shell reads %j as one unchanged word',
  (text) => {
    const read = execFileSync('sh', ['-c', `printf %s ${quoted(text)}`], { encoding: 'utf8' });
    expect(read).toBe(text);
  },
);
