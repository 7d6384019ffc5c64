import type { Module } from '../../kernel/endpoint/module.ts';
import { answerSlm, answerSlmByQuery } from './answer.ts';

/** Software that was sold with Software License Manager goes on asking after its licences. */
export const slm: Module = {
  key: 'slm',
  name: 'Software License Manager',
  description:
    'Requests of software that was sold with Software License Manager. An optional module.',
  endpoints: [answerSlm, answerSlmByQuery],
};
