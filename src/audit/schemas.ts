import * as z from 'zod'
import { surfaces } from '../kernel'

export const AuditOutcome = z.enum(['started', 'done', 'partial', 'refused', 'failed'])
export type AuditOutcome = z.infer<typeof AuditOutcome>

export const AuditEntry = z.object({
  id: z.int(),
  time: z.string().describe('When the entry was written, ISO 8601'),
  requestId: z.string().describe('The ID that the answer has over HTTP, and the lines of the log'),
  surface: z.enum(surfaces).describe('How the caller reached studio'),
  who: z.string().describe('The account of the command line, the name of the token or the person, or the dock key'),
  credential: z
    .string()
    .nullable()
    .describe('The token, the dock key or the person, by ID: `token <ID>`, `key <ID>`, `person <ID>`'),
  tenant: z.string().nullable().describe('The tenant that the caller acts for; null for work on stories'),
  from: z.string().describe('The address of the client, or the machine and the process of a command'),
  operation: z.string().describe('The ID of the operation: `drafts.save`'),
  targets: z.array(z.string()).describe('What the call names: `item:204`, `facility:DC1`; at most ten'),
  outcome: AuditOutcome.describe(
    'How it ended: done; partial, a part was not applied; refused, the caller has no right to it; failed, an error ended it; started, it still runs or was interrupted',
  ),
  code: z.string().nullable().describe('The code of the error; null without one'),
  times: z
    .int()
    .describe('How many such calls the entry counts. More than one for refused and failed calls in a short time'),
})
export type AuditEntry = z.infer<typeof AuditEntry>

const Time = z.iso.datetime({ offset: true, error: 'must be a time such as 2027-03-01T12:00:00Z' })

export const auditFilters = {
  who: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Only calls of this caller, by name, or by the ID of the token, key or person'),
  operation: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('Only calls of this operation, or of those that begin with it: `drafts`'),
  target: z.string().min(1).max(300).optional().describe('Only calls that name this: item:204, facility:DC1, or 204'),
  outcome: AuditOutcome.optional().describe('Only calls with this outcome'),
  surface: z.enum(surfaces).optional().describe('Only calls that came this way'),
  since: Time.optional().describe('Only entries from this time on'),
  until: Time.optional().describe('Only entries before this time'),
}
export const AuditFilters = z.strictObject(auditFilters)
export type AuditFilters = z.output<typeof AuditFilters>
