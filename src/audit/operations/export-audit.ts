import * as z from 'zod'
import { type Context, operation } from '../../kernel'
import type { StorageContext } from '../../storage'
import { countEntries } from '../queries/audit-entries'
import { AuditEntry, AuditFilters } from '../schemas'
import { readEntries } from '../services/read-entries'

export const exportAudit = operation({
  id: 'audit.export',
  summary: 'Export the entries of the audit, one JSON object a line',
  description:
    'Newest first, as they are read, so that an export of any length takes little memory. The last line has the event done and the number of entries: a file without it was cut off. Over HTTP, Accept: application/x-ndjson gets the same lines, and application/json the number of entries alone.',
  effect: 'read',
  access: 'admin',
  isExpensive: true,
  input: AuditFilters,
  output: z.object({ entries: z.int().describe('The number of entries') }),
  errors: [],
  http: { method: 'get', path: '/api/audit/export', extension: true },
  cli: {
    command: 'audit export',
    flags: {
      operation: { value: 'id' },
      target: { value: 'kind:id' },
      since: { value: 'time' },
      until: { value: 'time' },
    },
    examples: ['studio audit export --since 2026-11-01T00:00:00Z', 'studio audit export --json'],
    seeAlso: ['audit', 'backup'],
  },
  run: (ctx: Context & StorageContext, filters) =>
    ctx.db.read(async (tx) => ({ entries: await countEntries(tx, filters, ctx) }), { createsNone: true }),
  stream: {
    event: z.discriminatedUnion('event', [
      AuditEntry.extend({ event: z.literal('entry') }),
      z.object({ event: z.literal('done'), entries: z.int() }),
    ]),
    byDefault: true,
    async *open(ctx: Context & StorageContext, filters) {
      let entries = 0
      for await (const part of readEntries(ctx, filters)) {
        for (const entry of part) yield { event: 'entry' as const, ...entry }
        entries += part.length
      }
      yield { event: 'done' as const, entries }
    },
  },
})
