import { command } from './support/command.ts';
import { chosenDatabase } from './support/database.ts';
import { table } from './support/table.ts';
import { changeSettingsIn, settingRows, updateOf } from './store-settings.ts';

const usage = `npm run settings [-- NAME=VALUE …]

Shows the settings of the store in DATABASE_URL, or of the one that runs here; with NAME=VALUE it changes them, by the
rules of PATCH /me/settings. Values that are not text are JSON.

  npm run settings -- store_name="Roti Bersama" currency=IDR auto_cancel_days=3
  npm run settings -- 'manual_accounts=[{"id":"BCA","bank":"BCA","owner":"Roti","account_number":"123"}]'

  --json    prints them as JSON`;

const declaration = {
  usage,
  options: { json: { type: 'boolean' } },
  words: ['[NAME=VALUE…]'],
} as const;

await command(declaration, async ({ words, values }) => {
  const update = updateOf(words);
  const settings = await changeSettingsIn(await chosenDatabase(), update);
  console.log(values.json ? JSON.stringify(settings, null, 2) : table(settingRows(settings)));
});
