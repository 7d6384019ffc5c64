import { deaths } from './mortal.ts';
import { describeMishaps } from './messages.ts';

describeMishaps('resend', 'is killed', deaths);
