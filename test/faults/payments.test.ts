import { deaths } from './mortal.ts';
import { describeMishaps } from './payments.ts';

describeMishaps('stripe', 'is killed', deaths);
