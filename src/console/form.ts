import { StudioError } from '../kernel'
import { isRecord } from '../kernel/json'
import { type ConsoleCall, isFromScript } from './console-call'

export type Fields = Record<string, unknown>

/**
 * The fields of a form. A browser says from which page a form was sent, and the server has refused that of another site before; here it
 * must also be said.
 */
export async function readForm(call: ConsoleCall): Promise<Fields> {
  const { c } = call
  const site = c.req.header('sec-fetch-site')
  if (c.req.header('origin') === undefined || (site !== undefined && site !== 'same-origin'))
    throw new StudioError('forbidden', 'The form was not sent by a page of the console.', {
      hint: 'Open the page again and send its form.',
    })
  return isFromScript(call) ? parseJson(await c.req.text()) : parseForm(call, await c.req.text())
}

function parseJson(text: string): Fields {
  try {
    const fields: unknown = JSON.parse(text)
    if (isRecord(fields)) return fields
  } catch {
    // Answered below, as any other body that is no object.
  }
  throw new StudioError('invalid', 'The body must be one JSON object.')
}

function parseForm({ c }: ConsoleCall, text: string): Fields {
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(c.req.header('content-type') ?? ''))
    throw new StudioError('unsupported_media_type', 'The body must be a form or JSON.')
  const fields: Fields = {}
  const sent = new URLSearchParams(text)
  for (const name of new Set(sent.keys())) {
    const values = sent.getAll(name)
    fields[name] = values.length === 1 ? values[0] : values
  }
  return fields
}

/** Where to go on: a page of the console, whatever the request says. */
export function safePage(path: unknown): string {
  const isPage = typeof path === 'string' && /^\/console(?:[/?#][^\\\u0000-\u0020]*)?$/.test(path)
  return isPage && !path.includes('/..') ? path : '/console'
}
