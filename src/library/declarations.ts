import openapiTypescript, { astToString } from 'openapi-typescript'
import * as z from 'zod'
import type { AnyOperation } from '../kernel'

/** The type declarations of the library: the input and output of each operation, derived from its schemas at build. */
export async function libraryDeclarations(operations: readonly AnyOperation[]): Promise<string> {
  const schemas: Record<string, unknown> = {}
  for (const op of operations) {
    hoist(`${op.id}:input`, z.toJSONSchema(op.input, { io: 'input', unrepresentable: 'any' }), schemas)
    hoist(`${op.id}:output`, z.toJSONSchema(op.output, { io: 'output', unrepresentable: 'any' }), schemas)
  }
  const document = { openapi: '3.1.0', info: { title: 'studio', version: '1' }, paths: {}, components: { schemas } }
  const types = astToString(await openapiTypescript(document as never, { silent: true, defaultNonNullable: false }))
  const entries = operations.map((op) => [
    `  /** ${op.summary.replaceAll('*/', '* /')} */`,
    `  '${op.id}': { input: components['schemas']['${op.id}:input']; output: components['schemas']['${op.id}:output'] }`,
  ])
  return [
    types.replaceAll('export interface', 'interface').replaceAll('export type', 'type'),
    '/** Every operation, by its id. */',
    'export interface Operations {',
    ...entries.flat(),
    '}',
    INTERFACE,
  ].join('\n')
}

/** Adds a schema and its own definitions to the components, where references are resolved. */
function hoist(name: string, schema: object, into: Record<string, unknown>): void {
  const text = JSON.stringify(schema)
    .replaceAll('"$ref":"#/$defs/', `"$ref":"#/components/schemas/${name}.`)
    .replaceAll('"$ref":"#"', `"$ref":"#/components/schemas/${name}"`)
  const { $defs = {}, ...whole } = JSON.parse(text) as { $defs?: Record<string, unknown> }
  into[name] = whole
  for (const [part, definition] of Object.entries($defs)) into[`${name}.${part}`] = definition
}

const INTERFACE = `
export interface OpenOptions {
  /** Replaces the environment variables of the process. */
  env?: Record<string, string | undefined>
  /** The folder in which the project's settings file is searched, and to which paths are relative. */
  cwd?: string
  /** The tenant whose docks are used. */
  tenant?: string
  /** Receives notices for a person, such as that the sandbox is used as the tracker. */
  onNotice?(text: string): void
}

export interface CallOptions {
  /** Ends the call; it then fails with the code \`interrupted\`. */
  signal?: AbortSignal
  onProgress?(step: { label: string; done?: number; total?: number }): void
}

/** The operations of studio in this process, on the same settings and the same database as the command line. */
export interface StudioLibrary {
  /** The ids that \`call\` takes. */
  readonly operations: readonly (keyof Operations)[]
  /** Runs one operation as the person who owns this process. Fails with a \`StudioError\`. */
  call<Id extends keyof Operations>(
    id: Id,
    input?: Operations[Id]['input'],
    options?: CallOptions,
  ): Promise<Operations[Id]['output']>
  /** Runs an operation that streams its answer, part by part. */
  stream<Id extends keyof Operations>(
    id: Id,
    input?: Operations[Id]['input'],
    options?: CallOptions,
  ): AsyncIterable<{ event: string; [field: string]: unknown }>
  /** Closes the database and the connection to the tracker. */
  close(): Promise<void>
}

/** Opens studio. Nothing is read or created before the first call. */
export function openStudio(options?: OpenOptions): StudioLibrary

export interface ErrorDetail {
  /** The field, dotted; empty for the whole input. */
  path: string
  message: string
  [extra: string]: unknown
}

/** The only error that the library throws. */
export class StudioError extends Error {
  /** \`not_found\`, \`conflict\`, \`duplicate_reference\`, … */
  readonly code: string
  /** The next command or call that fixes it. */
  readonly hint: string | null
  readonly details: ErrorDetail[]
  readonly retryAfterSeconds: number | null
}

export interface ErrorBody {
  status: 'error'
  code: string
  message: string
  hint: string | null
  details: ErrorDetail[]
  requestId: string | null
}

/** The error as the command line and the HTTP API report it. */
export function errorBody(error: unknown, requestId?: string | null): ErrorBody
`
