import { senderNames } from '../providers/messages/index.ts';
import { deaths, hiccups } from './mortal.ts';
import { describeMishaps } from './messages.ts';

for (const name of senderNames) {
  describeMishaps(name, 'is killed', deaths);
  describeMishaps(name, 'has trouble', hiccups);
}
