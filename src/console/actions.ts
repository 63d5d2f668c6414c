import { loadOperation } from '../catalog'
import { type OperationId, StudioError, textToValues } from '../kernel'
import { type ConsoleHandler, isFromScript } from './console-call'
import { readForm, safePage } from './form'
import { type Html, html } from './html'
import { goTo } from './sign-in'

/** What the forms of the console may do. Each is an operation, which decides who may call it and checks its input. */
interface Action {
  /** The message after it is done. */
  done: string
  /** What is shown of the answer, once. Others only lead to the next page. */
  show?(answer: any): Html
}

const secret = (name: string, text: string, use: string): Html =>
  html`<section class="notice" role="status"><p>Copy the ${name} now: it is not shown again.</p>
<p><code class="secret">${text}</code></p><p>${use}</p></section>`

const actions: { [Id in OperationId]?: Action } = {
  'appointments.book': { done: 'The appointment was booked.' },
  'appointments.reschedule': { done: 'The appointment was moved.' },
  'appointments.update': { done: 'The appointment was changed.' },
  'appointments.cancel': { done: 'The appointment was cancelled.' },
  'appointments.complete': { done: 'The appointment was completed.' },
  'appointments.reopen': { done: 'The appointment was reopened.' },
  'tokens.create': {
    done: 'The token was created.',
    show: ({ token }) => secret('token', token, 'Send it in the header Authorization: Bearer <token>.'),
  },
  'tokens.revoke': { done: 'The token was revoked.' },
  'tenants.create': { done: 'The tenant was created.' },
  'tenants.create-key': {
    done: 'The dock key was created.',
    show: ({ key }) => secret('dock key', key, 'Send it in the header X-API-Key.'),
  },
  'tenants.revoke-key': { done: 'The dock key was revoked.' },
  'sessions.create-link': {
    done: 'The link was created.',
    show: ({ path }) => secret('link', path, 'Open it on this service within ten minutes. It works once.'),
  },
  'sessions.revoke': { done: 'The browser was signed out.' },
}

export function actionMessage(id: string): string | null {
  return Object.hasOwn(actions, id) ? actions[id as OperationId]!.done : null
}

/** Runs the operation of a form, and leads to the page that its field `next` names. */
export const runAction: ConsoleHandler = async (call) => {
  const id = call.c.req.param('operation')!
  if (!Object.hasOwn(actions, id)) throw new StudioError('not_found', 'The console has no such form.')
  const { next, ...fields } = await readForm(call)
  const { done, show } = actions[id as OperationId]!
  const op = await loadOperation(id)
  const answer = await call.run(op, textToValues(op.input, fields))
  const page = safePage(next)
  if (show && isFromScript(call)) return call.c.json({ message: done, html: String(await show(answer)) })
  if (show) {
    const body = html`<h1>${done}</h1>${show(answer)}<p><a href="${page}">Go on</a></p>`
    return call.page({ title: done, section: null, body })
  }
  const [path, hash] = page.split('#') as [string, string?]
  const target = `${path}${path.includes('?') ? '&' : '?'}done=${id}${hash === undefined ? '' : `#${hash}`}`
  return isFromScript(call) ? call.c.json({ message: done, location: target }) : goTo(call, target)
}
