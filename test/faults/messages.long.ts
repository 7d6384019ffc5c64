import { senderNames } from '../providers/messages/index.ts';
import { deaths, hiccups } from './mortal.ts';
import { describeMishaps } from './messages.ts';

for (const name of senderNames) {
  describeMishaps(name, 'being killed at each step', deaths);
  describeMishaps(name, 'trouble at each step', hiccups);
}
