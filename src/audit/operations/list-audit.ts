import * as z from 'zod'
import { type Context, compareValues, operation } from '../../kernel'
import type { StorageContext } from '../../storage'
import { countEntries, findEntries } from '../queries/audit-entries'
import { AuditEntry, AuditFilters } from '../schemas'
import { readEntries, toAuditEntry } from '../services/read-entries'

export const listAudit = operation({
  id: 'audit.list',
  summary: 'List who changed what, when and from where',
  description:
    'Newest first: every call that changed something, or tried to, from the command line, over HTTP, in the console and by agents, and what the service changed by itself. An entry names the call and its targets, and has no texts of them. Entries are stored for as long as the setting audit.keepDays says.',
  effect: 'read',
  access: 'admin',
  isExpensive: true,
  hasLargeAnswer: true,
  input: AuditFilters,
  output: z.array(AuditEntry),
  errors: [],
  http: { method: 'get', path: '/api/audit', extension: true },
  listOrder: () => ({
    id: ({ id }) => id,
    key: ({ time, id }) => [time, id],
    compare: ([timeA = null, idA = null], [timeB = null, idB = null]) =>
      compareValues(timeB, timeA) || compareValues(idB, idA),
  }),
  cli: {
    command: 'audit',
    flags: {
      operation: { value: 'id' },
      target: { value: 'kind:id' },
      since: { value: 'time' },
      until: { value: 'time' },
    },
    examples: [
      'studio audit --limit 20',
      'studio audit --operation drafts --since 2026-11-01T00:00:00Z',
      'studio audit --target item:204 --json',
      'studio audit --outcome refused',
    ],
    seeAlso: ['audit export', 'token list', 'session list'],
  },
  async run(ctx: Context & StorageContext, filters) {
    const entries: AuditEntry[] = []
    for await (const part of readEntries(ctx, filters)) entries.push(...part)
    return entries
  },
  readWindow(ctx: Context & StorageContext, filters, { from, count }) {
    const place = from && { at: Date.parse(String(from[0])), id: Number(from[1]) }
    return ctx.db.read(
      async (tx) => ({
        entries: (await findEntries(tx, filters, { from: place, count }, ctx)).map(toAuditEntry),
        total: await countEntries(tx, filters, ctx),
      }),
      { createsNone: true },
    )
  },
})
