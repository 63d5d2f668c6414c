import { readFile } from 'node:fs/promises'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { loadAllOperations } from '../catalog'
import { jsonSchemaOf } from '../kernel/input/json-schema'

/**
 * The text of `index.d.ts`: the input and output of each operation, derived from its schemas, and the public types. Runs at build, in the
 * folder of the package.
 */
export async function deriveDeclarations(): Promise<string> {
  const operations = await loadAllOperations()
  const publicTypes = await readFile('src/library/public-types.ts', 'utf8')
  const schemas: Record<string, unknown> = {}
  for (const op of operations) {
    hoist(`${op.id}:input`, jsonSchemaOf(op.input, 'input'), schemas)
    hoist(`${op.id}:output`, jsonSchemaOf(op.output, 'output'), schemas)
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
    publicTypes.slice(publicTypes.indexOf('\n')).trim(),
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
