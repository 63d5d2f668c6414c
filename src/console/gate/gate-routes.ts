import { loadOperation } from '../../catalog'
import type { GateVisitState, OpenGateLink } from '../../docks'
import { type AppContext, type AppHandler, type AppRoute, PUBLIC_BODY_BYTES } from '../../http/app-env'
import type { AppOptions } from '../../http/app-options'
import { openCall } from '../../http/operation-call'
import { callerOf, execute, httpStatusOf, retryAfterOf, StudioError } from '../../kernel'
import { type Fields, readForm, requireOwnForm } from '../forms/form'
import { PAGE_HEADERS } from '../layout'
import type { GateLanguage } from './gate-language'

/** Seconds until the page of a driver asks again; null where nothing will change. */
const ASK_AGAIN_SECONDS: Record<GateVisitState['kind'], number | null> = {
  waiting: 5,
  'to-door': 10,
  loading: 10,
  completed: 20,
  'ask-gate': 10,
  left: null,
}

/**
 * The self check-in of drivers, outside of the console. The secrets of the link and of the visit are in the bodies of requests alone, so that
 * no log and no address has them.
 */
export function gateRoutes(options: AppOptions): AppRoute[] {
  const post = (path: string, answer: Answer): AppRoute => ({
    method: 'POST',
    path,
    handler: (c) => answerPage(c, options, answer),
    maxBodyBytes: PUBLIC_BODY_BYTES,
  })
  return [
    { method: 'GET', path: '/gate', handler: showGatePage },
    post('/gate/link', openLink),
    post('/gate/check-in', checkIn),
    post('/gate/visit', showVisit),
  ]
}

const showGatePage: AppHandler = async (c) => {
  const [{ renderGatePage }, { isGateLanguage, preferLanguage }] = await Promise.all([
    import('./gate-page'),
    import('./gate-language'),
  ])
  const chosen = c.req.query('lang')
  const language = isGateLanguage(chosen) ? chosen : preferLanguage(c.req.header('accept-language'))
  const headers = { ...PAGE_HEADERS, 'Cache-Control': 'no-store', Vary: 'Accept-Language' }
  return c.body(String(await renderGatePage(language)), 200, headers)
}

interface GateCall {
  c: AppContext
  options: AppOptions
  fields: Fields
  language: GateLanguage
}

type Answer = (call: GateCall) => Promise<object>

/** Answers the script of the page. It shows `html`, in the language of the page. */
async function answerPage(c: AppContext, options: AppOptions, answer: Answer): Promise<Response> {
  const [{ isGateLanguage }, { renderProblem }] = await Promise.all([import('./gate-language'), import('./gate-page')])
  requireOwnForm({ c })
  const fields = await readForm({ c })
  const language = isGateLanguage(fields['lang']) ? fields['lang'] : 'en'
  c.header('Cache-Control', 'no-store')
  try {
    return c.json(await answer({ c, options, fields, language }))
  } catch (error) {
    const problem = error instanceof StudioError ? problems[error.code] : undefined
    if (problem === undefined) throw error
    const { code } = error as StudioError
    c.env.call.code = code
    const retryAfter = retryAfterOf(error as StudioError)
    if (retryAfter !== null) c.header('Retry-After', String(retryAfter))
    return c.json({ code, html: String(await renderProblem(problem, language)) }, httpStatusOf(code) as 404)
  }
}

/** The same words for all reasons for which a number is refused, so that they say nothing of the appointments. */
const problems: Partial<Record<StudioError['code'], 'notFound' | 'tooMany' | 'linkEnded'>> = {
  not_found: 'notFound',
  limited: 'tooMany',
  unauthenticated: 'linkEnded',
}

const openLink: Answer = async (call) => {
  const { facilityName, isKiosk } = await requireLink(call)
  return { facility: facilityName, isKiosk }
}

const checkIn: Answer = async (call) => {
  const { c, options, fields } = call
  const link = await requireLink(call)
  const truck = await options.gate.findTruck(c.env.call, link, toText(fields['number']))
  if (truck === null) throw notFoundError()
  if (!truck.isHere) await recordArrival(call, link, truck.id)
  const visit = await options.gate.openVisit(link, truck.id)
  const state = await presentVisit(call, visit, { stays: !link.isKiosk })
  return link.isKiosk ? state : { ...state, visit }
}

const showVisit: Answer = (call) => presentVisit(call, toText(call.fields['visit']), { stays: true })

async function requireLink({ c, options, fields }: GateCall): Promise<OpenGateLink> {
  const link = await options.gate.openLink(c.env.call, toText(fields['link']))
  c.env.call.caller = callerOf(link.caller)
  return link
}

/** Checks the truck in as the staff of the gate does. Where its rules refuse that, the driver must ask. */
async function recordArrival({ c, options }: GateCall, { caller: actor }: OpenGateLink, id: string): Promise<void> {
  const op = await loadOperation('appointments.check-in')
  const sources = [c.req.raw.signal, options.stopping]
  const { context, endTurn, done } = await openCall(op, c.env.call, options, { actor, sources, surface: 'gate' })
  try {
    await execute(op, { id }, context)
  } catch (error) {
    throw error instanceof StudioError && error.code === 'invalid_state' ? notFoundError() : error
  } finally {
    endTurn()
    done()
  }
}

async function presentVisit({ c, options, language }: GateCall, visit: string, { stays }: { stays: boolean }) {
  const { renderVisit } = await import('./gate-page')
  const state = await options.gate.readVisit(c.env.call, visit)
  return { html: String(await renderVisit(state, language, { stays })), askAgain: ASK_AGAIN_SECONDS[state.kind] }
}

const toText = (field: unknown) => (typeof field === 'string' ? field.slice(0, 200) : '')

function notFoundError(): StudioError {
  return new StudioError('not_found', 'No truck of today could be checked in with this number.')
}
