import { type ParseArgsConfig, parseArgs } from 'node:util';
import { Unreachable } from './database.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/** A command of package.json: how it is used, and what it takes. */
export interface Declaration<O extends Options> {
  /** Its name in package.json. */
  readonly name: string;
  /** The text that `--help` prints. */
  readonly usage: string;
  /** Its options besides `--help`. */
  readonly options?: O;
  /** The names of the words that it takes, optional ones in brackets, any number as the last: `['FOLDER', '[TABLE…]']`. */
  readonly words?: readonly string[];
}

/** The options and words of a command, as somebody typed them. */
export interface Arguments<O extends Options> {
  readonly values: ReturnType<typeof parseArgs<{ options: O }>>['values'];
  readonly words: readonly string[];
}

/** A command that was typed in a way that it does not take. */
export class UsageError extends Error {}

/** A command that must not go on, and would be refused again if it were repeated. */
export class Refused extends Error {}

/**
 * Runs a command: `--help` prints its usage, anything that it does not take is refused, and in both cases nothing else
 * happens. Errors are printed without a stack, and end the process with 1, those that are `Refused` with 2.
 * @param run may return the exit code
 */
export async function command<const O extends Options = Record<never, never>>(
  declaration: Declaration<O>,
  run: (given: Arguments<O>) => Promise<number | void>,
): Promise<void> {
  try {
    const given = readArguments(declaration, process.argv.slice(2));
    if (given) process.exitCode = (await run(given)) ?? 0;
    else console.log(declaration.usage);
  } catch (error) {
    console.error(explained(error as Error, declaration.name));
    process.exitCode = error instanceof Refused ? 2 : 1;
  }
}

/**
 * Reads what somebody typed.
 * @returns undefined if it asks for help
 * @throws UsageError
 */
export function readArguments<O extends Options>(
  { options, words: names = [] }: Declaration<O>,
  args: readonly string[],
): Arguments<O> | undefined {
  const { values, positionals: words } = parsed(options, args);
  if ('help' in values) return undefined;
  const missing = names[words.length];
  if (missing !== undefined && !missing.startsWith('['))
    throw new UsageError(`${missing} is missing.`);
  const superfluous = words[names.length];
  if (superfluous !== undefined && !names.at(-1)?.endsWith('…]'))
    throw new UsageError(`Unexpected argument '${superfluous}'.`);
  return { values: values as Arguments<O>['values'], words };
}

/**
 * Refuses what another form of the command takes.
 * @param form the command with its first word, as in `key rotate`
 * @throws UsageError
 */
export function refuseOthers(form: string, values: object, options: readonly string[]): void {
  const other = Object.keys(values).find((name) => !options.includes(name));
  if (other !== undefined) throw new UsageError(`\`${form}\` does not take --${other}.`);
}

function parsed(options: Options | undefined, args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { ...options, help: { type: 'boolean', short: 'h' } },
    });
  } catch (error) {
    // The rest of its message is about arguments that begin with a dash.
    throw new UsageError((error as Error).message.split('. To ')[0]?.replace(/\.?$/, '.'));
  }
}

/** SQLSTATEs of tables and columns that a database doesn't have. */
const absent = ['42P01', '42703'];

function explained(error: Error & { code?: string }, name: string): string {
  if (error instanceof UsageError)
    return `${error.message}\nHow it is used: npm run ${name} -- --help`;
  if (absent.includes(error.code ?? ''))
    return `The database is not up to date: ${error.message}. \`npm run migrate\` brings it there.`;
  const isOfStore = error instanceof Unreachable && !process.env['DATABASE_URL'];
  return isOfStore ? 'The store is not running: start it with `npm start`.' : error.message;
}
