export * from './checks.ts';
export * from './records.ts';
export * from './seats.ts';
