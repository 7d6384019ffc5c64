import { Hono } from 'hono';

/** The least a worker can do that has routes. */
export default new Hono().get('/', (c) => c.text('ok'));
