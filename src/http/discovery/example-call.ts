import type { AnyOperation } from '../../kernel'
import { sendsBody } from '../read-request'
import { exampleInput } from './example-input'
import { type WireField, wireFieldsOf } from './wire-fields'

/** The example input of an operation, divided into the parts of a request. */
export interface ExampleCall {
  path: Record<string, unknown>
  query: Record<string, unknown>
  /** Null if the call has no body. */
  body: Record<string, unknown> | null
}

export function exampleCall(op: AnyOperation): ExampleCall | null {
  const input = exampleInput(op)
  if (input === null) return null
  const call = { path: {}, query: {}, body: {} } as Record<WireField['place'], Record<string, unknown>>
  for (const { field, name, place } of wireFieldsOf(op)) if (field in input) call[place][name] = input[field]
  return { ...call, body: sendsBody(op) ? call.body : null }
}

/** A command line with curl. `credential` is a header to send: `Authorization: Bearer $STUDIO_TOKEN`. */
export function curlLine(op: AnyOperation, baseUrl: string, credential: string | null): string | null {
  const call = exampleCall(op)
  if (call === null) return null
  const path = op.http!.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(call.path[name])))
  const query = new URLSearchParams(
    Object.entries(call.query).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((entry): [string, string] => [name, String(entry)]),
    ),
  ).toString()
  const method = op.http!.method.toUpperCase()
  return [
    'curl -s',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    quoted(`${baseUrl}${path}${query && `?${query}`}`),
    ...(credential ? [`-H "${credential}"`] : []),
    ...(call.body ? ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(call.body))}`] : []),
  ].join(' ')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
