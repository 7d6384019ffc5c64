// Access to a store's database, and the work of commands on all of it.
import '../domain/service/vocabulary.ts';
export { importStore } from '../cli/archive/import.ts';
export { checkIntegrity } from '../cli/integrity/index.ts';
export { migrateDatabase } from '../cli/migrations/migrate.ts';
export { directDatabase, withDatabase } from '../cli/support/database.ts';
export { clearKilledRehearsals, withTarget } from '../cli/support/rehearsal.ts';
