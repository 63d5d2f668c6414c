import { describeWithPostgres } from '../../storage/postgres/server'
import { migrations, testIdempotencyStore } from './idempotency-store-tests'

describeWithPostgres('an idempotent request on PostgreSQL', (server) =>
  testIdempotencyStore(() => server().openDatabase(migrations)),
)
