import type { Examples } from '../examples.ts';

export const modules: Examples = {
  'shop.accountLink': async (scene) => ({ params: { id: await scene.newUser() } }),
  'shop.accountActAs': async (scene) => ({
    body: { user_id: await scene.newUser(), reason: 'Asked for help.' },
  }),
  'eddSl.answer': () => ({ query: { edd_action: 'get_version' }, trips: 0 }),
  'eddSl.answerByQuery': () => ({ query: { edd_action: 'get_version' }, trips: 0 }),
  'slm.answer': () => ({ query: { slm_action: 'slm_check' }, trips: 0 }),
  'slm.answerByQuery': () => ({ query: { slm_action: 'slm_check' }, trips: 0 }),
  'mcp.message': () => ({
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    headers: () => ({ 'mcp-protocol-version': '2025-11-25' }),
  }),
};
