import { loadOperation } from '../../catalog'
import { authorize, type OperationId, StudioError } from '../../kernel'
import type { RunById } from '../actions/action'
import { actionMessage, actions, UNCHANGED, withDone } from '../actions/run-action'
import { runForm } from '../actions/run-form'
import { answerConflict } from '../conflicts/answer-conflict'
import { isFromScript } from '../console-call'
import { type Fields, readForm, requireOwnForm, safePageBelow } from '../forms/form'
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
  call.form = { op, fields: { next, ...fields }, action: `/portal/run/${id}` }
  const action = actions[id]!
  const running = {
    run: (input: Fields) => call.run(op, input),
    runById: (async (other: OperationId, input: object) => call.run(await loadOperation(other), input)) as RunById,
    studio: options.studio,
  }
  const outcome = await runForm(op, action, fields, running)
  if (outcome.kind === 'conflict')
    return answerConflict(call, op, { ...outcome, root: '/portal', next: safePageBelow('/portal', next) })
  const answer = outcome.kind === 'done' ? (outcome.answer as { data?: { id: string | null } }) : {}
  const page =
    next ?? (id === 'appointments.book' && answer.data?.id ? portalAppointmentPath(answer.data.id) : undefined)
  const done = outcome.kind === 'done' ? id : UNCHANGED
  const location = withDone(safePageBelow('/portal', page), done)
  return isFromScript(call) ? c.json({ message: actionMessage(done), location }) : goTo(call, location)
}
