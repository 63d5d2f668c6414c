import { loadOperation } from '../../catalog'
import {
  type AnyOperation,
  authorize,
  formToValues,
  isDockAccess,
  newPlanOf,
  type OperationId,
  StudioError,
} from '../../kernel'
import { answerConflict } from '../conflicts/answer-conflict'
import { type ConsoleCall, type ConsoleHandler, isFromScript } from '../console-call'
import { type Fields, readForm, requireOwnForm, safePage } from '../forms/form'
import { hiddenFields } from '../forms/hidden-fields'
import { type Html, html } from '../html'
import { requireSameMember } from '../sign-in/acting-member'
import { goTo } from '../sign-in/sign-in'
import { type ShowPart, streamAnswer, wantsStream } from '../stream-answer'
import type { Actions, RunById } from './action'
import { dockActions } from './docks'
import { planningActions } from './planning'
import { type FormOutcome, runForm } from './run-form'
import { settingsActions } from './settings'
import { workActions } from './work'

/** What the forms of the console may do. Each is an operation, which decides who may call it and checks its input. */
export const actions: Actions = { ...workActions, ...dockActions, ...planningActions, ...settingsActions }

/** In place of the operation, for a form that changed nothing. */
export const UNCHANGED = 'nothing'
const NOTHING_CHANGED = 'Nothing was changed.'

export function actionMessage(id: string): string | null {
  if (id === UNCHANGED) return NOTHING_CHANGED
  return Object.hasOwn(actions, id) ? actions[id as OperationId]!.done : null
}

/** The message above the page that an action led to. */
export function actionNotice(done: string | undefined): Html | '' {
  const message = done === undefined ? null : actionMessage(done)
  return message === null ? '' : html`<p class="notice" role="status">${message}</p>`
}

/** Runs the operation of a form, and leads to the page that its field `next` names. */
export const runAction: ConsoleHandler = async (call) => {
  const id = call.c.req.param('operation') ?? call.c.req.path.split('/').at(-1)!
  if (!Object.hasOwn(actions, id)) throw new StudioError('not_found', 'The console has no such form.')
  requireOwnForm(call)
  const op = await loadOperation(id)
  if (isDockAccess(op.access)) requireSameMember(call)
  authorize(op, call.options.caller.actorFor(call.c.env.call, op.access))
  const { next, ...fields } = await readForm(call)
  call.form = { op, fields: { next, ...fields }, action: `/console/run/${id}` }
  const action = actions[id as OperationId]!
  const { done, show, page, toInput, refresh, progress, each } = action
  if (each !== undefined) return runEach(call, { op, each, fields, next })
  const { studio } = call.options
  if (progress && wantsStream(call)) {
    const input = formToValues(op.input, toInput ? toInput(fields, studio) : fields)
    const showPart: ShowPart = async (part) => {
      if (part.event === 'done') return { event: 'done', message: done, html: String(await show!(part, fields)) }
      const shown = progress(part)
      return shown && { event: part.event, ...shown }
    }
    return streamAnswer(call, { op, input, show: showPart })
  }
  const runById = async (other: OperationId, input: object) => call.run(await loadOperation(other), input)
  const running = { run: (input: Fields) => call.run(op, input), runById: runById as RunById, studio }
  const { outcome, notice } = await runAsShown(() => runForm(op, action, fields, running))
  if (outcome.kind === 'conflict')
    return answerConflict(call, op, { ...outcome, root: '/console', next: safePage(next) })
  if (outcome.kind === 'unchanged') {
    const location = withDone(safePage(next), UNCHANGED)
    const still = refresh ? { values: {}, parts: {} } : {}
    return isFromScript(call) ? call.c.json({ message: NOTHING_CHANGED, location, ...still }) : goTo(call, location)
  }
  const { answer } = outcome
  const target = safePage(next ?? page?.(answer))
  const shown = await show?.(answer, {
    ...fields,
    next: target,
    ...(answer.planId === undefined ? {} : { planId: answer.planId }),
  })
  if (shown && isFromScript(call)) return call.c.json({ message: done, html: `${notice}${shown}` })
  if (shown) {
    const title = answer.dryRun === true ? 'Preview of the change' : done
    const body = html`<h1>${title}</h1>${notice}${shown}<p><a href="${target}">Continue</a></p>`
    return call.page({ title, section: null, body })
  }
  const location = withDone(target, id)
  if (!isFromScript(call)) return goTo(call, location)
  return call.c.json({ message: done, location, ...(await refresh?.(answer, call.toPageHtml)) })
}

/** The outcome; or what the form would do now, with a notice, if that is not what was shown. */
async function runAsShown(run: () => Promise<FormOutcome>): Promise<{ outcome: FormOutcome; notice: Html | '' }> {
  try {
    return { outcome: await run(), notice: '' }
  } catch (error) {
    const answer = newPlanOf(error)
    if (answer === null) throw error
    const notice = html`<p class="notice" role="status">${(error as StudioError).message}</p>`
    return { outcome: { kind: 'done', answer }, notice }
  }
}

/** More than a page shows to choose from. */
const MAX_RUNS = 500

/** Runs the operation for each value of a field, and shows which of them it refused. */
async function runEach(
  call: ConsoleCall,
  { op, each, fields, next }: { op: AnyOperation; each: string; fields: Fields; next: unknown },
): Promise<Response> {
  const values = [fields[each] ?? []].flat()
  if (values.length === 0) throw new StudioError('invalid', 'Nothing is chosen. Tick at least one.')
  if (values.length > MAX_RUNS) throw new StudioError('invalid', `Choose at most ${MAX_RUNS}.`)
  const refused: { value: unknown; message: string }[] = []
  for (const value of values) {
    try {
      await call.run(op, formToValues(op.input, { ...fields, [each]: value }))
    } catch (error) {
      if (!(error instanceof StudioError)) throw error
      refused.push({ value, message: error.message })
    }
  }
  const target = safePage(next)
  if (refused.length === 0) {
    const location = withDone(target, op.id)
    return isFromScript(call) ? call.c.json({ message: actionMessage(op.id), location }) : goTo(call, location)
  }
  const again = hiddenFields({ ...fields, [each]: refused.map(({ value }) => value), next: target })
  const shown = html`<section class="card wide" aria-label="Refused"><p>${values.length - refused.length} of ${values.length} are done.</p>
<ul>${refused.map(({ value, message }) => html`<li>${String(value)}: ${message}</li>`)}</ul>
<form method="post" action="/console/run/${op.id}">${again}<p class="error" role="alert"></p><button type="submit">Try these again</button> <a class="button quiet" href="${target}">Continue</a></form></section>`
  if (isFromScript(call)) return call.c.json({ message: 'Not all are done.', html: String(await shown) })
  return call.page({ title: 'Not all are done', section: null, body: html`<h1>Not all are done</h1>${shown}` })
}

export function withDone(page: string, id: string): string {
  const [path, hash] = page.split('#') as [string, string?]
  return `${path}${path.includes('?') ? '&' : '?'}done=${id}${hash === undefined ? '' : `#${hash}`}`
}
