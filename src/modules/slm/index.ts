import type { Module } from '../../kernel/endpoint/module.ts';
import { answerSlm, answerSlmByQuery } from './answer.ts';

/** Answers licence checks by software that was sold with Software License Manager. */
export const slm: Module = {
  key: 'slm',
  name: 'Software License Manager',
  description:
    'Licence checks by software that was sold with Software License Manager. An optional module.',
  endpoints: [answerSlm, answerSlmByQuery],
};
