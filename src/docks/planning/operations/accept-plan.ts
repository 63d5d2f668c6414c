import * as z from 'zod'
import { type Context, inputError, operation, settlePlan } from '../../../kernel'
import { pluralize } from '../../../kernel/text/text'
import type { StorageContext } from '../../../storage'
import { Reason } from '../../booking/schemas'
import { resolveReason } from '../../facilities/rules/change-reasons'
import { Text } from '../../rules/text'
import { DayPlanAnswer, PlanMove, planFields } from '../schemas'
import { acceptMoves, type Refusals } from '../services/accept-moves'
import { listPlanFacts, type PreparedPlan, preparePlan, presentPlan, takePart } from '../services/prepare-plan'

const MAX_CHOSEN = 500

const AcceptReport = DayPlanAnswer.omit({ moves: true }).extend({
  dryRun: z.boolean(),
  moved: z.int(),
  refused: z.int(),
  results: z.array(
    PlanMove.extend({
      outcome: z.enum(['moved', 'refused']),
      message: z.string().nullable().describe('Why it was not moved'),
    }),
  ),
})
type AcceptReport = z.output<typeof AcceptReport>

export const acceptPlan = operation({
  id: 'facilities.accept-plan',
  summary: 'Move appointments as the plan of a day says',
  description:
    'Makes the plan anew, and moves all appointments that it moves, or only those that are chosen, with the moves that they need. All moves are one transaction, and each is checked as a booking is: if others have changed the day meanwhile, moves that are not possible any more are refused with those that need them, and the rest is done. With the planId of a dry run it moves exactly what that showed, or nothing.',
  effect: 'write',
  access: { docks: 'manager' },
  isExpensive: true,
  input: z.strictObject({
    ...planFields,
    only: z
      .array(Text.min(1).max(100))
      .min(1)
      .max(MAX_CHOSEN)
      .optional()
      .describe('References of the appointments to move; all of the plan by default'),
    reason: Reason,
    dryRun: z.boolean().default(false).describe('Show the moves without changing anything'),
  }),
  output: AcceptReport,
  errors: ['not_found'],
  isPartial: ({ dryRun, refused }) => !dryRun && refused > 0,
  http: { method: 'post', path: '/api/facilities/{id}/plan', extension: true },
  cli: {
    command: 'facility accept-plan',
    args: ['id'],
    argumentNames: { id: 'code' },
    flags: { date: { value: 'YYYY-MM-DD' }, only: { value: 'reference' } },
    confirmDryRun: (answer) => {
      const { results } = answer as AcceptReport
      return results.length === 0 ? null : `Move ${pluralize(results.length, 'appointment')}?`
    },
    examples: [
      'studio facility accept-plan DC1 --dry-run',
      'studio facility accept-plan DC1 --yes',
      'studio facility accept-plan DC1 --objective few-moves --yes',
    ],
    seeAlso: ['facility plan', 'reschedule', 'appointment clear'],
  },
  async run(ctx: Context & StorageContext, { dryRun, only, reason, ...input }) {
    const prepared = choose(await preparePlan(ctx, input), only)
    const changeReason = resolveReason(prepared.facility, 'rescheduled', reason)
    settlePlan(ctx, listPlanFacts(prepared))
    const report = (refused: Refusals): AcceptReport => buildReport(prepared, { dryRun, refused })
    return dryRun ? report(new Map()) : acceptMoves(ctx, prepared, { reason: changeReason, report })
  },
})

/** What the plan says, without the moves that were refused, and what became of each move. */
function buildReport(
  prepared: PreparedPlan,
  { dryRun, refused }: { dryRun: boolean; refused: Refusals },
): AcceptReport {
  const isMade = ([task]: readonly number[]) => !refused.has(prepared.loaded.tasks[task!]!.record.id)
  const made = refused.size === 0 ? prepared : takePart(prepared, prepared.groups.filter(isMade))
  const { moves, ...answer } = presentPlan(made)
  const results = presentPlan(prepared).moves.map((move) => {
    const message = refused.get(move.id) ?? null
    return { ...move, outcome: message === null ? ('moved' as const) : ('refused' as const), message }
  })
  return { ...answer, dryRun, moved: moves.length, refused: refused.size, results }
}

/** Only the groups of moves with a chosen one. Throws `invalid` for a reference that the plan does not move. */
function choose(prepared: PreparedPlan, only: readonly string[] | undefined): PreparedPlan {
  if (only === undefined) return prepared
  const nameOf = (task: number) => prepared.loaded.tasks[task]!.record.referenceNumber
  const moving = new Set(prepared.groups.flat().map(nameOf))
  const unknown = only.findIndex((reference) => !moving.has(reference))
  if (unknown >= 0)
    throw inputError([
      { path: `only[${unknown}]`, message: `${only[unknown]} is not moved by the plan: show the plan again` },
    ])
  return takePart(
    prepared,
    prepared.groups.filter((group) => group.some((task) => only.includes(nameOf(task)))),
  )
}
