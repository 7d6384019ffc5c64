import type { Scope as AnyScope } from '../../schema/scopes.ts';
import type { Capability as AnyCapability } from '../user/capabilities.ts';
import type { ErrorCode as AnyErrorCode } from './errors.ts';

declare module '../../kernel/vocabulary/vocabulary.ts' {
  interface Vocabulary {
    readonly error: AnyErrorCode;
    readonly scope: AnyScope;
    readonly capability: AnyCapability;
  }
}
