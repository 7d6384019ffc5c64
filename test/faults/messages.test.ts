import { deaths } from './mortal.ts';
import { describeMishaps } from './messages.ts';

describeMishaps('resend', 'being killed at every third step', (steps) =>
  deaths(steps).filter((_, i) => i % 3 === 0),
);
