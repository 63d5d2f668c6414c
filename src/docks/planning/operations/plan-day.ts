import * as z from 'zod'
import { type Context, operation } from '../../../kernel'
import type { StorageContext } from '../../../storage'
import { DayPlanAnswer, planFields } from '../schemas'
import { preparePlan, presentPlan } from '../services/prepare-plan'

export const planDay = operation({
  id: 'facilities.plan',
  summary: 'Plan the rest of a day at a facility from what is true now',
  description:
    'Trucks come late or stay too long, and doors fail. The plan moves the appointments that this touches: first to other doors at their own times, then to other times with the least total delay. It keeps all rules of the facility, and moves no appointment that has begun or is pinned, nor one whose door was announced unless the facility allows it. A late truck is expected at the next start that is at least a slot away, and a truck that stays too long for one more slot. Nothing changes before you accept the plan.',
  effect: 'read',
  access: { docks: 'viewer' },
  isExpensive: true,
  input: z.strictObject(planFields),
  output: DayPlanAnswer,
  errors: ['not_found'],
  http: { method: 'get', path: '/api/facilities/{id}/plan', extension: true },
  cli: {
    command: 'facility plan',
    args: ['id'],
    argumentNames: { id: 'code' },
    flags: { date: { value: 'YYYY-MM-DD' } },
    examples: [
      'studio facility plan DC1',
      'studio facility plan DC1 --objective few-moves',
      'studio facility plan DC1 --date 2027-03-01 --json',
    ],
    seeAlso: ['facility accept-plan', 'facility conflicts', 'facility board', 'appointment pin'],
  },
  async run(ctx: Context & StorageContext, input) {
    return presentPlan(await preparePlan(ctx, input))
  },
})
