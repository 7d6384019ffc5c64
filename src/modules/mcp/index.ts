import type { Module } from '../../kernel/endpoint/module.ts';
import { receiveMessage } from './message.ts';

/** Agents work with the store by the Model Context Protocol, as far as their API key lets them. */
export const mcp: Module = {
  key: 'mcp',
  name: 'Agents',
  description: 'The operations as tools, by the Model Context Protocol. An optional module.',
  endpoints: [receiveMessage],
};
