/** Parsers of PostgreSQL's texts, by the oid of the type. */
const readers: Readonly<Record<number, (text: string) => unknown>> = {
  16: (text) => text === 't', // boolean
  21: Number, // smallint
  23: Number, // integer
  701: Number, // double precision
  114: JSON.parse, // json
  3802: JSON.parse, // jsonb
};

const asText = (text: string) => text;

/** Leaves other types as text, which columns parse. */
export const types = { getTypeParser: (oid: number) => readers[oid] ?? asText };
