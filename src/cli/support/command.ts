import { type ParseArgsConfig, parseArgs } from 'node:util';
import { DatabaseUnavailable } from '../../kernel/database/errors.ts';
import { Refused, UsageError } from './refusals.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

export interface Declaration<O extends Options> {
  /** The text for `--help` and after a mistyped command. */
  readonly usage: string;
  /** A list that only `--help` adds. */
  readonly details?: string;
  /** Its options besides `--help`. */
  readonly options?: O;
  /** The names of the arguments. Optional ones are in brackets; the last may be a list: `['FOLDER', '[TABLE…]']`. */
  readonly words?: readonly string[];
}

export interface Arguments<O extends Options> {
  readonly values: ReturnType<typeof parseArgs<{ options: O }>>['values'];
  readonly words: readonly string[];
}

export { Refused, UsageError };

/**
 * Runs a command. `--help` prints its usage; unknown options and arguments are refused. Errors are printed without a
 * stack.
 * @param run may return the exit code
 */
export async function command<const O extends Options = Record<never, never>>(
  declaration: Declaration<O>,
  run: (given: Arguments<O>) => Promise<number | void>,
): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreClosedPipe);
  try {
    const given = readArguments(declaration, process.argv.slice(2));
    if (given) process.exitCode = (await run(given)) ?? 0;
    else console.log([declaration.usage, declaration.details ?? ''].join('\n\n').trimEnd());
  } catch (error) {
    console.error(explained(error as Error, declaration.usage));
    process.exitCode = exitCodeOf(error);
  }
}

/** A reader that stops early, such as `head`, does not end the work half-way. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

/** The exit code after an error: 1 if the command can be repeated, 2 if it would be refused again. */
export const exitCodeOf = (error: unknown): 1 | 2 =>
  error instanceof Refused || error instanceof UsageError ? 2 : 1;

/**
 * Parses the command line.
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
 * Refuses options of another form of the command.
 * @param form the command with its first argument, as in `key rotate`
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
    // Node appends a hint about arguments that begin with a dash.
    throw new UsageError((error as Error).message.split('. To ')[0]?.replace(/\.?$/, '.'));
  }
}

/** SQLSTATEs of missing tables and columns. */
const absent = ['42P01', '42703'];

function explained(error: Error & { code?: string }, usage: string): string {
  if (error instanceof UsageError) return `${error.message}\n\n${usage}`;
  const source = error instanceof DatabaseUnavailable ? (error.cause as typeof error) : error;
  if (absent.includes(source?.code ?? ''))
    return `The database is not up to date: ${source.message}. \`npm run migrate\` brings it there.`;
  return error.message;
}
