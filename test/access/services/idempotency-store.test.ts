import { describe } from 'vitest'
import { openMemoryDatabase } from '../../../src/storage'
import { migrations, testIdempotencyStore } from './idempotency-store-tests'

describe('an idempotent request', () => testIdempotencyStore(() => openMemoryDatabase(migrations)))
