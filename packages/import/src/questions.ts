import type { Question } from './importer.ts';

/**
 * Asks for the time zone of a shop.
 * @param text the reason why it is unknown
 */
export const timezoneQuestion = (text: string): Question => ({
  code: 'timezone',
  text,
  option: '--timezone Asia/Jakarta',
});

/** Asks for the meaning of a status of orders. @param whose as in "Sejoli's" */
export const statusQuestion = (status: string, whose: string): Question => ({
  code: 'status',
  text: `Some orders have the status "${status}", which is none of ${whose} own.`,
  option: `--status ${status}=completed`,
});
