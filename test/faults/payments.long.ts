import { providerNames } from '../providers/index.ts';
import { deaths, hiccups } from './mortal.ts';
import { describeMishaps } from './payments.ts';

for (const name of providerNames) {
  describeMishaps(name, 'being killed at each step', deaths);
  describeMishaps(name, 'trouble at each step', hiccups);
}
