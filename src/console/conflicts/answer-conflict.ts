import { type AnyOperation, errorBody, StudioError } from '../../kernel'
import { isFromScript } from '../console-call'
import { html } from '../html'
import { type ConflictFormOptions, conflictForm } from './conflict-form'

interface Answering {
  c: Parameters<typeof isFromScript>[0]['c']
  page(page: { title: string; section: null; body: ReturnType<typeof html> }, status: number): Promise<Response>
}

/** A form that was not saved because somebody else has changed the same, with both values. A script puts it in the place of the form. */
export async function answerConflict(
  call: Answering,
  op: AnyOperation,
  options: ConflictFormOptions,
): Promise<Response> {
  const { c } = call
  c.env.call.code = 'stale_revision'
  const form = await conflictForm(op, options)
  if (!isFromScript(call)) {
    const title = 'Somebody else has changed the same'
    return call.page({ title, section: null, body: html`<h1>${title}</h1>${form}` }, 409)
  }
  const details = options.changes.conflicts.map(({ name, was, theirs }) => ({
    path: name,
    message: 'was changed by somebody else meanwhile',
    was,
    now: theirs,
  }))
  const error = new StudioError('stale_revision', 'Somebody else has changed the same meanwhile. Nothing was saved.', {
    hint: 'Press Save to see both, and to merge them.',
    details,
  })
  return c.json({ ...errorBody(error, c.env.call.requestId), html: String(form) }, 409)
}
