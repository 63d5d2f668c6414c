import { loadOperation } from '../../src/catalog'
import { execute, type OperationId } from '../../src/kernel'
import { DC1 } from '../docks/dock-fixtures'
import { type Answer, type Served, served } from '../http/served'

export interface ConsoleServed extends Served {
  /** Runs an operation as the person at the terminal. */
  run(id: OperationId, input: object): Promise<any>
  /** Loads a page as a browser does. */
  open(path: string, cookie?: string, headers?: Record<string, string>): Promise<Answer>
  /** Sends a form as the script of a page does. */
  send(path: string, fields: object, cookie?: string, headers?: Record<string, string>): Promise<Answer>
  /** Signs in with a credential and gives the cookie. */
  signIn(credential: string, cookie?: string): Promise<string>
}

/** The service, with what a browser sends by itself. */
export async function servedConsole(given: Parameters<typeof served>[0] = {}): Promise<ConsoleServed> {
  const service = await served(given)
  const { call, studio, url } = service
  const cookieHeader = (cookie?: string): Record<string, string> => (cookie === undefined ? {} : { cookie })
  const open: ConsoleServed['open'] = (path, cookie, headers = {}) =>
    call('GET', path, { headers: { accept: 'text/html', ...cookieHeader(cookie), ...headers } })
  const send: ConsoleServed['send'] = (path, body, cookie, headers = {}) =>
    call('POST', path, {
      body,
      headers: { origin: url, 'sec-fetch-site': 'same-origin', ...cookieHeader(cookie), ...headers },
    })
  return {
    ...service,
    open,
    send,
    run: async (id, input) =>
      execute(await loadOperation(id), input, studio.context({ actor: { kind: 'terminal', tenant: 'default' } })),
    signIn: async (credential, cookie) => cookieOf(await send('/console/sign-in', { credential }, cookie)),
  }
}

/** The cookie that an answer sets, as the browser sends it back. */
export function cookieOf({ headers, text }: Answer): string {
  const [set] = headers['set-cookie'] ?? []
  if (set === undefined) throw new Error(`no cookie was set: ${text}`)
  return set.split(';')[0]!
}

const everyDay = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

const DAY_MS = 86_400_000

/** At least two days ahead, and never a Sunday: those are the days on which clocks are put forward and back. */
export function dateAhead(days = 2): string {
  const at = new Date(Date.now() + days * DAY_MS)
  return at.getUTCDay() === 0 ? dateAhead(days + 1) : at.toISOString().slice(0, 10)
}

/** A facility that is open every day and night, and a date in the future. */
export async function openFacility({ run }: ConsoleServed, changes: object = {}): Promise<{ date: string }> {
  await run('facilities.create', {
    ...DC1,
    queues: [{ ...DC1.queues[0], days: everyDay, start: '00:00', end: '24:00' }],
    breaks: [],
    ...changes,
  })
  return { date: dateAhead() }
}
