import { providerNames } from '../providers/index.ts';
import { deaths, hiccups } from './mortal.ts';
import { describeMishaps } from './payments.ts';

for (const name of providerNames) {
  describeMishaps(name, 'is killed', deaths);
  describeMishaps(name, 'has trouble', hiccups);
}
