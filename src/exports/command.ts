// How a command of package.json is run, for the commands of the packages.
export { command } from '../cli/support/command.ts';
