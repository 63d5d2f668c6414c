import { findFreeMoves } from '../../docks'
import { authorize, inputError } from '../../kernel'
import type { ConsoleHandler } from '../console-call'

const ACCESS = { docks: 'clerk' } as const

/** What a drag asks once, when it begins: where the appointment may be dropped. The drop asks again. */
export const freeMoves: ConsoleHandler = async ({ c, options: { caller, studio } }) => {
  const actor = caller.actorFor(c.env.call, ACCESS)
  authorize({ access: ACCESS, effect: 'write' }, actor)
  const { date } = c.req.query()
  if (date === undefined || !/^\d{4}-\d\d-\d\d$/.test(date))
    throw inputError([{ path: 'date', message: 'must be a date such as 2027-03-01' }])
  const { slotMinutes, doors } = await findFreeMoves(studio.context({ actor }), { id: c.req.param('id')!, date })
  return c.json({ slotMinutes, doors: Object.fromEntries(doors) })
}
