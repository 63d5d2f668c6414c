import type { CallOrigin, CallRecorder, Context, Surface } from '../kernel'
import { memoizeAsync } from '../kernel/work/memoize-async'
import type { StorageContext } from '../storage'
import type { AuditParts } from './services/recorder'

export { auditMigration } from './migrations'

/** Creates recorders of calls. Their code is loaded by the first call that is recorded. */
export function createRecorders(parts: AuditParts): (origin: CallOrigin | Surface) => CallRecorder {
  const load = memoizeAsync(async () => new (await import('./services/recorder')).Audit(parts))
  return (origin) => ({
    begin: async (call) => (await load()).recorderFor(origin).begin(call),
    note: async (tx, op, input) => (await load()).recorderFor(origin).note(tx, op, input),
    refused: async (op, actor, error) => (await load()).recorderFor(origin).refused(op, actor, error),
  })
}

/** Removes entries that are older than so many days, now and every hour, until the signal of the context is aborted. */
export async function keepAuditShort(ctx: Context & StorageContext, keepDays: number): Promise<void> {
  return (await import('./services/remove-old-entries')).keepAuditShort(ctx, keepDays)
}
