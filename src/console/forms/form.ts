import { StudioError } from '../../kernel'
import { parseFields, requireBoundedJson, requireFewFields } from '../../kernel/input/bounded-input'
import { isRecord, parseJson } from '../../kernel/json'
import { decodePart } from '../../kernel/text/text'
import { type ConsoleCall, isFromScript } from '../console-call'

export type Fields = Record<string, unknown>

/** Refuses a form that no page of the console has sent, by its headers. */
export function requireOwnForm({ c }: Pick<ConsoleCall, 'c'>): void {
  const site = c.req.header('sec-fetch-site')
  // A browser says from which page a form was sent, and the server has refused that of another site before; here it must also be said.
  if (c.req.header('origin') !== undefined && (site === undefined || site === 'same-origin')) return
  throw new StudioError('forbidden', 'The form was not sent by a page of this service.', {
    hint: 'Open the page again and send its form.',
  })
}

/** The fields of a form. The caller is authorized before this reads and parses them. */
export async function readForm(call: Pick<ConsoleCall, 'c'>): Promise<Fields> {
  if (isFromScript(call)) return readJson(await call.c.req.text())
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(call.c.req.header('content-type') ?? ''))
    throw new StudioError('unsupported_media_type', 'The body must be a form or JSON.')
  const encoded = await call.c.req.text()
  requireFewFields(encoded, 'form')
  return Object.fromEntries(parseFields(encoded))
}

function readJson(text: string): Fields {
  requireBoundedJson(text)
  const fields = parseJson(text)
  if (!isRecord(fields)) throw new StudioError('invalid', 'The body must be one JSON object.')
  if (!Object.values(fields).flat().every(isPlain))
    throw new StudioError('invalid', 'Each field of a form must be a text or a list of texts.')
  return fields
}

/** No object: a form names the fields of one, as in `queues.0.start`. */
function isPlain(value: unknown): boolean {
  return value === null || typeof value !== 'object'
}

/** Where to go on: a page of the console, whatever the request says. */
export function safePage(path: unknown): string {
  return safePageBelow('/console', path)
}

/** The path, if it is one of a page there; else the page itself. */
export function safePageBelow(root: string, path: unknown): string {
  const isPage = typeof path === 'string' && /^\/[a-z]+(?:[/?#][^\\\u0000-\u0020]*)?$/.test(path)
  return isPage && isBelow(root, path) && isBelow(root, decodePart(path)) ? path : root
}

/** Browsers resolve `..` in a path also where its dots are escaped; a proxy may resolve it where its slashes are. */
function isBelow(root: string, path: string): boolean {
  const { pathname } = new URL(path.replace(/[?#].*$/s, ''), 'http://localhost')
  return pathname === root || pathname.startsWith(`${root}/`)
}
