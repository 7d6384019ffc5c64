/** Writes a line into the log that the operator has to look at; nothing in it is personal. */
export const tellOperator = (line: Readonly<Record<string, unknown>>): void =>
  // eslint-disable-next-line no-console -- a worker's log is its standard output
  console.log(JSON.stringify({ level: 'error', ...line }));
