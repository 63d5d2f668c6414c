import { loadOperation } from '../../catalog'
import { authorize, formToValues, type OperationId, StudioError } from '../../kernel'
import { actions, withDone } from '../actions/run-action'
import { isFromScript } from '../console-call'
import { readForm, requireOwnForm, safePageBelow } from '../forms/form'
import { goTo } from '../sign-in/sign-in'
import { type PortalHandler, portalAppointmentPath } from './portal-call'

/** What the forms of the portal may do. */
const offered: readonly OperationId[] = [
  'appointments.book',
  'appointments.reschedule',
  'appointments.update',
  'appointments.cancel',
  'attachments.add',
  'waitlist.add',
  'waitlist.accept',
  'waitlist.decline',
  'waitlist.remove',
]

/** Runs the operation of a form as the carrier, and leads to the page that its field `next` names, or to the appointment. */
export const runPortalAction: PortalHandler = async (call) => {
  const { c, options, session } = call
  const operation = c.req.param('operation') ?? c.req.path.split('/').at(-1)
  const id = offered.find((each) => each === operation)
  if (id === undefined) throw new StudioError('not_found', 'The portal has no such form.')
  requireOwnForm(call)
  if (session === null)
    throw new StudioError('unauthenticated', 'Your access has ended. Open the link of an invitation.')
  const op = await loadOperation(id)
  authorize(op, options.caller.actorFor(c.env.call, op.access))
  const { next, ...fields } = await readForm(call)
  const { done, toInput } = actions[id]!
  const input = formToValues(op.input, toInput ? toInput(fields, options.studio) : fields)
  const answer = (await call.run(op, input)) as { data?: { id: string } }
  const page = next ?? (id === 'appointments.book' && answer.data ? portalAppointmentPath(answer.data.id) : undefined)
  const location = withDone(safePageBelow('/portal', page), id)
  return isFromScript(call) ? c.json({ message: done, location }) : goTo(call, location)
}
