import type { Module } from '../../kernel/endpoint/module.ts';
import { answerEdd, answerEddByQuery } from './answer.ts';

/** Answers licence checks of software that was sold by Easy Digital Downloads. */
export const eddSl: Module = {
  key: 'edd-sl',
  name: 'EDD Software Licensing',
  description: 'Requests of software that was sold by Easy Digital Downloads. An optional module.',
  endpoints: [answerEdd, answerEddByQuery],
};
