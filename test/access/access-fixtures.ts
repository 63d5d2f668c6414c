import type { z } from 'zod'
import { accessMigration } from '../../src/access'
import { type Actor, type Context, execute, type Operation, type StudioError, silentLog } from '../../src/kernel'
import { type Database, openMemoryDatabase, type StorageContext } from '../../src/storage'

type AccessContext = Context & StorageContext

export interface AccessOffice {
  db: Database
  clock: { now(): number; set(instant: string): void }
  as(actor: Actor): AccessContext
  run<In extends z.ZodObject, Out extends z.ZodType>(
    op: Operation<In, Out, AccessContext>,
    input: unknown,
    ctx?: AccessContext,
  ): Promise<z.output<Out>>
  refusal(op: Operation<any, any, AccessContext>, input: unknown, ctx?: AccessContext): Promise<StudioError>
}

/** Tenants and keys on a database in memory, with a fixed clock and sequential IDs. */
export async function openAccessOffice(): Promise<AccessOffice> {
  const db = await openMemoryDatabase([accessMigration])
  let now = Date.parse('2026-11-16T14:00:00Z')
  let count = 0
  const clock = {
    now: () => now,
    set: (instant: string) => {
      now = Date.parse(instant)
    },
  }
  const as = (actor: Actor): AccessContext => ({
    actor,
    db,
    clock,
    ids: {
      uuid: () => `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`,
      secret: (length) => String(++count).padStart(length, 'a'),
    },
    log: silentLog,
    signal: new AbortController().signal,
    progress: () => {},
  })
  const terminal = as({ kind: 'terminal', tenant: 'default' })
  return {
    db,
    clock,
    as,
    run: (op, input, ctx = terminal) => execute(op, input, ctx),
    refusal: (op, input, ctx = terminal) =>
      execute(op, input, ctx).then(
        (answer) => {
          throw new Error(`expected a refusal, got ${JSON.stringify(answer)}`)
        },
        (error: StudioError) => error,
      ),
  }
}
