import { Hono } from 'hono';

/** The smallest worker with routes. */
export default new Hono().get('/', (c) => c.text('ok'));
