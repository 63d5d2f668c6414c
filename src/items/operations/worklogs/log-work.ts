import * as z from 'zod'
import { hint, inputError, operation, settlePlan, suggest } from '../../../kernel'
import { toArgument } from '../../../kernel/text/item-reference'
import { parseSpentTime } from '../../../kernel/text/spent-time'
import { formatInstant } from '../../../kernel/time'
import { ItemId, Reference, Worklog } from '../../schemas'
import { nameItems } from '../../services/name-items'
import { createOutcomeError } from '../../services/outcome-errors'
import { readForChange } from '../../services/read-for-change'
import { openTrackerPart } from '../../services/tracker-part'
import { TRACKER_ERRORS, type TrackerWorkspaceContext } from '../../services/workspace-context'

const MAX_SECONDS = 366 * 24 * 3600

export const logWork = operation({
  id: 'items.log-work',
  summary: 'Record time that you spent on a work item',
  description: 'Times are such as 1h 30m, 45m or 2d; a day has 8 hours and a week 5 days.',
  effect: 'write',
  recorded: 'from-start',
  access: 'workspace',
  changesTracker: true,
  input: z.strictObject({
    id: ItemId,
    time: z.string().trim().min(2).max(50).describe('The time, such as 1h 30m'),
    text: z.string().trim().max(10_000).default('').describe('What was done, in Markdown'),
    startedAt: z.iso.datetime({ offset: true }).optional().describe('When the work began (default: now)'),
    dryRun: z.boolean().default(false).describe('Send nothing; show the entry'),
  }),
  output: z.object({
    dryRun: z.boolean(),
    id: z.int(),
    reference: Reference,
    seconds: z.int(),
    worklog: Worklog.nullable().describe('Null for a dry run'),
  }),
  errors: ['not_found', 'conflict', ...TRACKER_ERRORS],
  http: {
    method: 'post',
    path: '/api/devops/items/{id}/worklogs',
    extension: true,
    example: { id: 204, time: '1h 30m', text: 'Wired the scanner', dryRun: true },
  },
  cli: {
    command: 'item log-work',
    args: ['id', 'time', 'text'],
    texts: ['text'],
    confirm: () => null,
    confirmDryRun: (preview) =>
      `Record this time on work item ${toArgument((preview as { reference: string }).reference)}?`,
    examples: ['studio item log-work ABC-7 "1h 30m" "Wired the scanner" --yes'],
    seeAlso: ['item worklogs', 'item comment'],
  },
  async run(ctx: TrackerWorkspaceContext, { id, time, text, startedAt, dryRun }) {
    const seconds = parseSpentTime(time)
    if (seconds === null || seconds > MAX_SECONDS)
      throw inputError([{ path: 'time', message: 'must be a time of a minute to a year, such as 1h 30m, 45m or 2d' }])
    const { link, part } = await openTrackerPart(ctx, { ids: [id] }, 'worklogs')
    await readForChange(ctx, link.tracker, id)
    const answer = { dryRun, id, reference: (await nameItems(ctx, [id]))(id), seconds }
    settlePlan(ctx, { tracker: await link.tracker.resolveIdentity(ctx.signal), seconds, text, startedAt })
    if (dryRun) return { ...answer, worklog: null }
    const begun = startedAt === undefined ? ctx.clock.now() : Date.parse(startedAt)
    const outcome = await part.add({ itemId: id, seconds, text, startedAt: formatInstant(begun) }, ctx.signal)
    if (outcome.status === 'added') return { ...answer, worklog: outcome.worklog }
    throw createOutcomeError(outcome, {
      rejected: 'The tracker did not record the time.',
      unknown: 'It is not known whether the time was recorded.',
      look: hint`Before you send it again, look for it: ${suggest('items.worklogs', { id })}`,
    })
  },
})
