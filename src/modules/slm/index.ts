import type { Module } from '../../kernel/endpoint/module.ts';
import { answerSlm, answerSlmByQuery } from './answer.ts';

/** Answers licence checks of software that was sold with Software License Manager. */
export const slm: Module = {
  key: 'slm',
  name: 'Software License Manager',
  description:
    'Requests of software that was sold with Software License Manager. An optional module.',
  endpoints: [answerSlm, answerSlmByQuery],
};
