// Shared by the commands of the packages.
export { UsageError, command, refuseOthers } from '../cli/support/command.ts';
export { localPath, openFolder } from '../cli/support/folder.ts';
export { Progress } from '../cli/support/progress.ts';
export { table } from '../cli/support/table.ts';
