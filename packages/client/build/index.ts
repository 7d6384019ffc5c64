import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { command } from '../../../src/exports/command.ts';
import { generatedConsoleModule, generatedModule } from './generate.ts';
import { packageClient, sources } from './package.ts';

const usage = `npm run build:client

Generates modules of the client from the declarations, and writes the package into dist/client.`;

await command({ usage }, async () => {
  // The package imports the generated module.
  await writeFile(join(sources, 'generated.ts'), generatedModule());
  await writeFile(join(sources, '../../console/src/api/generated.ts'), generatedConsoleModule());
  const code = await packageClient('dist/client');
  const size = (gzipSync(code).length / 1000).toFixed(1);
  console.log(
    `The client is in dist/client: ${size} kB gzipped. \`npm pack ./dist/client\` packs it.`,
  );
});
