import type { Question } from './importer.ts';

/** @param text the reason why the time zone is unknown */
export const timezoneQuestion = (text: string): Question => ({
  code: 'timezone',
  text,
  option: '--timezone Asia/Jakarta',
});

/** @param whose the plugin that lacks the status, as in "Sejoli's" */
export const statusQuestion = (status: string, whose: string): Question => ({
  code: 'status',
  text: `Some orders have the status "${status}", which isn't one of ${whose} own.`,
  option: `--status ${status}=completed`,
});
