/** Formats of lists in pages besides JSON, chosen by the extension of the address or the accepted type. */
export const exportTypes = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const;

export type ExportFormat = keyof typeof exportTypes;

export const exportFormats = Object.keys(exportTypes) as ExportFormat[];
