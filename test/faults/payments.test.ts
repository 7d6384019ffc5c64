import { deaths } from './mortal.ts';
import { describeMishaps } from './payments.ts';

describeMishaps('stripe', 'being killed at every third step', (steps) =>
  deaths(steps).filter((_, i) => i % 3 === 0),
);
