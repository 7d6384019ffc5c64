import type { Module } from '../../kernel/endpoint/module.ts';
import { receiveMessage } from './message.ts';

/** Lets agents use the store through the Model Context Protocol, within the scopes of their API key. */
export const mcp: Module = {
  key: 'mcp',
  name: 'Agents',
  description: 'The operations as tools, by the Model Context Protocol. An optional module.',
  endpoints: [receiveMessage],
};
