import type { AnyOperation } from '../../kernel'
import { exampleInput } from './example-input'

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
  const wireNames = new Map(Object.entries(op.http!.query ?? {}).map(([wire, field]) => [field, wire]))
  const inPath = pathFields(op.http!.path)
  const call: ExampleCall = { path: {}, query: {}, body: sendsBody(op) ? {} : null }
  for (const [name, value] of Object.entries(input)) {
    if (inPath.includes(name)) call.path[name] = value
    else if (call.body) call.body[name] = value
    else call.query[wireNames.get(name) ?? name] = value
  }
  return call
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

export function sendsBody(op: AnyOperation): boolean {
  return op.http!.method !== 'get' && op.http!.method !== 'delete'
}

export function pathFields(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
