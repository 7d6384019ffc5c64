/** What lists in pages are answered as besides JSON: by the extension of the address, or the type that is accepted. */
export const exportTypes = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const;

export type ExportFormat = keyof typeof exportTypes;

export const exportFormats = Object.keys(exportTypes) as ExportFormat[];
