import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { service } from '../operations/platform/service.ts';
import { declarations } from './client/declarations.ts';
import { generatedModule } from './client/generate.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
const sources = join(checkout, 'src/client');
const target = join(checkout, 'dist/client');

/** Bundles the client's code into one file. @returns its text */
async function bundle(): Promise<string> {
  const build = await rolldown({ input: join(sources, 'index.ts'), platform: 'neutral' });
  const { output } = await build.write({ dir: target, format: 'es', minify: true });
  await build.close();
  return output[0].code;
}

const manifest = {
  name: 'sales-api-client',
  version: service.version,
  description: 'The client of Sales API: typed calls for apps and backends, and webhooks.',
  license: 'MIT',
  type: 'module',
  sideEffects: false,
  engines: { node: '>=20' },
  exports: { '.': { types: './index.d.ts', default: './index.js' } },
  types: './index.d.ts',
  files: ['index.js', 'index.d.ts'],
};

/** Makes the client's package in `dist/client`. */
async function buildClient(): Promise<void> {
  await writeFile(join(sources, 'generated.ts'), generatedModule());
  await rm(target, { recursive: true, force: true });
  await mkdir(target, { recursive: true });
  const code = await bundle();
  await writeFile(join(target, 'index.d.ts'), await declarations(sources));
  await writeFile(join(target, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  await cp(join(checkout, 'docs/client.md'), join(target, 'README.md'));
  await cp(join(checkout, 'LICENSE'), join(target, 'LICENSE'));
  const size = (gzipSync(code).length / 1000).toFixed(1);
  console.log(
    `The client is in dist/client: ${size} kB gzipped. \`npm pack ./dist/client\` packs it.`,
  );
}

await buildClient();
