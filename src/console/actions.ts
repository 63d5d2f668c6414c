import { dirname, join } from 'node:path'
import { loadOperation } from '../catalog'
import { authorize, formToValues, isDockAccess, newPlanOf, type OperationId, StudioError } from '../kernel'
import { mapValues } from '../kernel/json'
import { formatInstant } from '../kernel/time'
import type { Studio } from '../studio'
import { type ConsoleHandler, isFromScript } from './console-call'
import { type Fields, readForm, requireOwnForm, safePage } from './forms/form'
import { listEntries, nestFields } from './forms/form-fields'
import { takeChanged } from './forms/hidden-fields'
import { type Html, html } from './html'
import { facilityPath } from './pages/docks/facility-path'
import { describeProgress, renderRefinement } from './refinement'
import type { ToPageHtml } from './rich-text'
import { secret } from './shown-secret'
import { requireSameMember } from './sign-in/acting-member'
import { goTo } from './sign-in/sign-in'
import { type ShowPart, streamAnswer, wantsStream } from './stream-answer'

/** What the forms of the console may do. Each is an operation, which decides who may call it and checks its input. */
interface Action {
  /** The message after it is done. */
  done: string
  /** What is shown of the answer, once. Others only lead to the next page, as does one without an answer to show. */
  show?(answer: any, fields: Fields): Html | null | Promise<Html | null>
  /** The page that it leads to, where the form names none. */
  page?(answer: any): string
  /** The input out of the fields, where they are not the same. */
  toInput?(fields: Fields, studio: Studio): Fields
  /** For a form that is saved while it is written: the new values of its fields, and parts of the page. */
  refresh?(
    answer: any,
    toPageHtml: ToPageHtml,
  ): Promise<{ values: Record<string, string>; parts: Record<string, string> }>
  /** For an answer that comes in parts: what the page shows until it is complete. */
  progress?(part: any): { text: string } | { message: string } | null
}

const SECRET_USE = 'Your system checks the signatures of this service with the secret.'

/** A change of a facility. A dry run shows what it would do, with the form that does it. */
function facilityChange(operation: OperationId, done: string): Action {
  return {
    done,
    toInput: toFacilityChange,
    show: async (answer, fields) =>
      answer.dryRun ? (await import('./consequences')).renderConsequences(operation, answer, fields) : null,
    page: ({ facility }) => facilityPath(facility.code, '/settings'),
  }
}

export const actions: { [Id in OperationId]?: Action } = {
  'features.import': { done: 'The feature was read from the tracker.' },
  'items.get': { done: 'The item was read from the tracker.' },
  'items.sync': { done: 'Changed items were read from the tracker.' },
  'views.save': { done: 'The view was saved.', toInput: nestFields, page: ({ id }) => `/console/work/views/${id}` },
  'views.delete': { done: 'The view was deleted.' },
  'drafts.copy-sanitize': { done: 'The clean copy was saved as a draft.', page: draftPath },
  'drafts.save': {
    done: 'The draft was saved.',
    page: draftPath,
    toInput: clearEmptyFields,
    refresh: async (draft, toPageHtml) => ({
      values: { updatedAt: draft.updatedAt },
      parts: { preview: String(await (await import('./pages/draft')).renderPreview(toPageHtml, draft)) },
    }),
  },
  'drafts.refine': {
    done: 'The language model has answered.',
    show: renderRefinement,
    progress: describeProgress,
  },
  'drafts.undo': { done: 'The version was restored.' },
  'drafts.delete': { done: 'The draft was deleted.' },
  'folders.create': { done: 'The folder was created.' },
  'folders.delete': { done: 'The folder was deleted.' },
  'priorities.set': { done: 'The priorities were saved.', toInput: toPriorities },
  'yard.arrive': { done: 'The arrival was recorded.' },
  'yard.move': { done: 'The trailer was moved.' },
  'yard.update': { done: 'The trailer was changed.' },
  'yard.leave': { done: 'The departure was recorded.' },
  'yard.undo': { done: 'The step was undone.' },
  'yard.add-spots': { done: 'The spots were added.', toInput: nestFields },
  'yard.remove-spot': { done: 'The spot was removed.' },
  'appointments.book': { done: 'The appointment was booked.', toInput: nestFields },
  'appointments.reschedule': { done: 'The appointment was moved.' },
  'appointments.update': {
    done: 'The appointment was changed.',
    toInput: ({ id, ...fields }) => ({ id, ...nestFields(takeChanged(fields)) }),
  },
  'appointments.cancel': { done: 'The appointment was cancelled.' },
  'appointments.check-in': { done: 'The truck was checked in.' },
  'appointments.step': { done: 'The step was recorded.' },
  'appointments.undo-step': { done: 'The step was undone.' },
  'appointments.reopen': { done: 'The appointment was reopened.' },
  'waitlist.add': { done: 'You are on the waitlist.', toInput: nestFields },
  'attachments.add': { done: 'The file was attached.' },
  'attachments.remove': { done: 'The file was removed.' },
  'waitlist.accept': { done: 'The offered slot was booked.' },
  'waitlist.decline': { done: 'The offer was declined.' },
  'waitlist.remove': { done: 'The entry was removed from the waitlist.' },
  'appointments.import': {
    done: 'The rows were read.',
    show: async (report, fields) => (await import('./import-report')).renderImportReport(report, fields),
  },
  'facilities.create': {
    done: 'The facility was created.',
    toInput: toNewFacility,
    page: ({ code }) => facilityPath(code, '/settings'),
  },
  'facilities.update': facilityChange('facilities.update', 'The facility was changed.'),
  'facilities.close': facilityChange('facilities.close', 'The facility is closed on these dates.'),
  'facilities.reopen': facilityChange('facilities.reopen', 'The facility is open on these dates.'),
  'facilities.block': facilityChange('facilities.block', 'The hours are blocked.'),
  'facilities.unblock': facilityChange('facilities.unblock', 'The hours were unblocked.'),
  'facilities.delete': { done: 'The facility was deleted.' },
  'facilities.restore': { done: 'The facility was restored.' },
  'facilities.create-gate-link': {
    done: 'The link was created.',
    show: async (answer) => (await import('./pages/docks/gate-links')).renderNewGateLink(answer),
  },
  'facilities.revoke-gate-link': { done: 'The link was revoked.' },
  'doors.add': facilityChange('doors.add', 'The door was added.'),
  'doors.update': facilityChange('doors.update', 'The door was changed.'),
  'doors.remove': facilityChange('doors.remove', 'The door was removed.'),
  'llm.chat': {
    done: 'The language model has answered.',
    show: ({ response, model }) =>
      html`<section class="card wide"><h3>${model}</h3><p class="text">${response}</p></section>`,
  },
  'system.doctor': {
    done: 'The checks are done.',
    // Reading a large database would keep the service from answering others.
    toInput: () => ({ quick: true }),
    show: async (answer) => (await import('./pages/settings/system')).renderFindings(answer),
  },
  'storage.backup': {
    done: 'The database was backed up.',
    toInput: nameBackup,
    show: ({ file, bytes, sha256 }) =>
      html`<section class="notice" role="status"><p>${bytes} bytes in <code>${file}</code>, SHA-256 ${sha256}</p></section>`,
  },
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
  'carriers.invite': {
    done: 'The carrier was invited.',
    show: async (answer) => (await import('./pages/settings/invitations')).renderNewInvitation(answer),
  },
  'carriers.revoke-invitation': { done: 'The invitation was revoked.' },
  'staff.add': { done: 'The member was added.' },
  'staff.update': { done: 'The member was changed.', toInput: takeChanged },
  'staff.remove': { done: 'The member was removed.' },
  'webhooks.add': {
    done: 'The webhook was added.',
    toInput: nestFields,
    show: ({ secret: text }) => text && secret('secret', text, SECRET_USE),
  },
  'webhooks.update': {
    done: 'The webhook was changed.',
    toInput: (fields) => nestFields(takeChanged(fields)),
  },
  'webhooks.rotate-secret': {
    done: 'The webhook has a new secret.',
    show: ({ secret: text }) => secret('secret', text, SECRET_USE),
  },
  'webhooks.test': { done: 'The test was accepted.' },
  'webhooks.replay': { done: 'The events are sent again.' },
  'webhooks.resume': { done: 'The webhook gets events again.' },
  'webhooks.remove': { done: 'The webhook was removed.' },
  'mail-templates.set': { done: 'The mail was changed.', toInput: takeChanged },
  'mail-templates.reset': { done: 'The default mail was restored.' },
  'mail-templates.preview': {
    done: 'This is the mail.',
    toInput: takeChanged,
    show: ({ subject, text }) =>
      html`<section class="card wide"><h3>${subject}</h3><pre class="text">${text}</pre></section>`,
  },
  'mail-templates.test': { done: 'The mail server accepted the test mail.' },
  'facilities.set-check': {
    done: 'Bookings are checked.',
    toInput: takeChanged,
    show: ({ secret: text }) => text && secret('secret', text, SECRET_USE),
  },
  'facilities.test-check': { done: 'The endpoint answered.' },
  'facilities.remove-check': { done: 'Bookings are no longer checked.' },
  'sessions.create-link': {
    done: 'The link was created.',
    show: ({ path }) => secret('link', path, 'Open it on this service within ten minutes. It works once.'),
  },
  'sessions.revoke': { done: 'The browser was signed out.' },
}

export function actionMessage(id: string): string | null {
  return Object.hasOwn(actions, id) ? actions[id as OperationId]!.done : null
}

/** The message above the page that an action led to. */
export function actionNotice(done: string | undefined): Html | '' {
  const message = done === undefined ? null : actionMessage(done)
  return message === null ? '' : html`<p class="notice" role="status">${message}</p>`
}

function draftPath({ id }: { id: number }): string {
  return `/console/drafts/${id}`
}

/** A field of a draft that was emptied is cleared. */
function clearEmptyFields(fields: Fields): Fields {
  return mapValues(fields, (value) => (value === '' ? null : value))
}

/** The chosen features in the order of the form. A button moves one of them: `up-101`. */
function toPriorities(fields: Fields): Fields {
  const { designated = [] } = nestFields({ 'designated[]': [], ...fields }) as { designated?: unknown[] }
  const [direction, id] = String(fields['move'] ?? '').split('-')
  const from = designated.indexOf(id)
  const to = direction === 'up' ? from - 1 : from + 1
  return { designated: from < 0 ? designated : swap(designated, from, to) }
}

/** The same list if one of the places does not exist. */
function swap(list: readonly unknown[], a: number, b: number): unknown[] {
  return b in list ? list.with(a, list[b]).with(b, list[a]) : [...list]
}

/** In the folder of the database, so that no caller chooses where the service writes. */
function nameBackup(_: Fields, { settings, context }: Studio): Fields {
  const now = context({ actor: { kind: 'anonymous' } }).clock.now()
  const stamp = formatInstant(now).replace(/[-:.]/g, '')
  return { file: join(dirname(settings.db), `studio-backup-${stamp}.db`) }
}

/** The field without which an entry of a list does not count. */
const needed = { queues: 'days', breaks: 'days', limits: 'max', customFields: 'name', reasons: 'choices' }

/** Lists that the form has are replaced as a whole. */
function toFacilityChange(fields: Fields): Fields {
  const input = nestFields(fields)
  if ('queues' in input) input['breaks'] ??= {}
  for (const [list, field] of Object.entries(needed)) if (list in input) input[list] = listEntries(input[list], field)
  return input
}

function toNewFacility(fields: Fields): Fields {
  const { doors, ...input } = toFacilityChange(fields)
  return { ...input, doors: Array.isArray(doors) ? doors.map((name) => ({ name })) : doors }
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
  const { done, show, page, toInput, refresh, progress } = actions[id as OperationId]!
  const input = formToValues(op.input, toInput ? toInput(fields, call.options.studio) : fields)
  if (progress && wantsStream(call)) {
    const showPart: ShowPart = async (part) => {
      if (part.event === 'done') return { event: 'done', message: done, html: String(await show!(part, fields)) }
      const shown = progress(part)
      return shown && { event: part.event, ...shown }
    }
    return streamAnswer(call, { op, input, show: showPart })
  }
  const { answer, notice } = await runAsShown(() => call.run(op, input))
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

/** The answer; or what the form would do now, with a notice, if that is not what was shown. */
async function runAsShown(run: () => Promise<any>): Promise<{ answer: any; notice: Html | '' }> {
  try {
    return { answer: await run(), notice: '' }
  } catch (error) {
    const plan = newPlanOf(error)
    if (plan === null) throw error
    return { answer: plan, notice: html`<p class="notice" role="status">${(error as StudioError).message}</p>` }
  }
}

export function withDone(page: string, id: string): string {
  const [path, hash] = page.split('#') as [string, string?]
  return `${path}${path.includes('?') ? '&' : '?'}done=${id}${hash === undefined ? '' : `#${hash}`}`
}
