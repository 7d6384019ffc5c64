import type { Module } from '../../kernel/endpoint/module.ts';
import { answerEdd, answerEddByQuery } from './answer.ts';

/** Answers licence checks by software that was sold through Easy Digital Downloads. */
export const eddSl: Module = {
  key: 'edd-sl',
  name: 'EDD Software Licensing',
  description:
    'Licence checks by software that was sold through Easy Digital Downloads. An optional module.',
  endpoints: [answerEdd, answerEddByQuery],
};
