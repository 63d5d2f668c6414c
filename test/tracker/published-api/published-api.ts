import Ajv, { type ErrorObject, type SchemaObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { countLiterals, readPathValues } from './path-template'
import { describeForm, toValue } from './text-values'

/** A vendor's description of an API, reduced by `prune-description.mjs`. */
export interface ApiDescription {
  /** Where it is from, and its license. */
  source: string
  /** By method and path: `GET /projects/{id}`. `{name?}` can be left out, `{name*}` has any number of parts. A query in the path only tells two calls apart. */
  calls: Record<string, DescribedCall>
  definitions: Record<string, SchemaObject>
}

export interface DescribedCall {
  parameters: DescribedParameter[]
  body?: { required?: boolean; content: Record<string, SchemaObject> }
  /** The schemas of the answers by status; null for one whose body is not described. */
  answers: Record<string, SchemaObject | null>
}

export interface DescribedParameter {
  name: string
  in: string
  required?: boolean
  /** False if a list is one text with commas. */
  explode?: boolean
  schema: SchemaObject
}

export interface SentRequest {
  method: string
  /** The path as the description has it, not decoded, with its query. */
  url: string
  headers: Record<string, string | string[] | undefined>
  /** Parsed if it is JSON; a form as its text; null without one. */
  body: unknown
}

export interface SentAnswer {
  status?: number
  json?: unknown
}

export interface PublishedApi {
  /** What of a request and its answer differs from the description. Fields that it does not have are differences, too. */
  findMismatches(request: SentRequest, answer: SentAnswer | null): string[]
}

export interface ApiOptions {
  /** The product ignores the case of paths. */
  ignoresCase?: boolean
}

/** Checks calls against a description. A call that it does not have is a mismatch. */
export function openPublishedApi(description: ApiDescription, { ignoresCase = false }: ApiOptions = {}): PublishedApi {
  const ajv = new Ajv({ strict: false, allErrors: true })
  addFormats(ajv)
  const definitions = Object.fromEntries(
    Object.entries(description.definitions).map(([name, schema]) => [name, close(schema)]),
  )
  ajv.addSchema({ $id: 'api', definitions })
  const compiled = new Map<object, ValidateFunction>()
  const calls = Object.entries(description.calls).map(([key, call]) => {
    const [method, template] = key.split(' ') as [string, string]
    return { key, method, template: template.replace(/\?(?!\}).*$/, ''), call }
  })

  function check(what: string, schema: SchemaObject, value: unknown): string[] {
    const validate = compiled.get(schema) ?? ajv.compile(rebase(close(schema)))
    compiled.set(schema, validate)
    if (validate(value)) return []
    return validate.errors!.map((error) => `${what}${describeError(error)}`)
  }

  function findMismatches(request: SentRequest, answer: SentAnswer | null): string[] {
    const [path = '', search = ''] = request.url.split(/\?(.*)/s)
    const matching = calls.flatMap((one) => {
      if (one.method !== request.method) return []
      const values = readPathValues(one.template, path, { ignoresCase })
      return values ? [{ ...one, values }] : []
    })
    if (matching.length === 0) return [`${request.method} ${path} is not described`]
    const exact = Math.max(...matching.map(({ template }) => countLiterals(template)))
    const found = matching
      .filter(({ template }) => countLiterals(template) === exact)
      .map(({ key, call, values }) => {
        const mismatches = [
          ...checkParameters(call, values, new URLSearchParams(search), request.headers),
          ...checkBody(call, request),
          ...(answer ? checkAnswer(call, answer) : []),
        ]
        return mismatches.map((mismatch) => `${key}: ${mismatch}`)
      })
    return found.sort((one, other) => one.length - other.length)[0]!
  }

  function checkParameters(
    { parameters }: DescribedCall,
    path: Record<string, string>,
    query: URLSearchParams,
    headers: SentRequest['headers'],
  ): string[] {
    const unknown = [...new Set(query.keys())].filter(
      (name) => !parameters.some((one) => one.in === 'query' && one.name === name),
    )
    const wrong = parameters.flatMap(({ name, in: place, required, schema, explode = true }) => {
      const header = headers[name.toLowerCase()]
      const values =
        place === 'path'
          ? [path[name]].flatMap((value) => value ?? [])
          : place === 'query'
            ? query.getAll(name)
            : [header ?? []].flat()
      if (values.length === 0) return required && place !== 'path' ? [`${place} lacks ${name}`] : []
      return check(`${place} ${name}`, schema, toValue(dereference(schema), values, explode))
    })
    return [...unknown.map((name) => `query has an unknown ${name}`), ...wrong]
  }

  function dereference(schema: SchemaObject): SchemaObject {
    return schema['$ref'] ? description.definitions[schema['$ref'].split('/').at(-1)]! : schema
  }

  function checkBody({ body }: DescribedCall, request: SentRequest): string[] {
    const isEmpty = request.body === null || request.body === undefined || request.body === ''
    if (!body) return isEmpty ? [] : ['request has a body, but none is described']
    if (isEmpty) return body.required ? ['request lacks its body'] : []
    const type = String(request.headers['content-type'] ?? '')
    const [name = ''] = type.split(';')
    const schema = body.content[name]
    if (!schema) return [`request has the type ${type || 'none'} instead of ${Object.keys(body.content).join(' or ')}`]
    if (/[/+]json$/.test(name)) return check('request', schema, request.body)
    return name === 'multipart/form-data' ? check('form', schema, describeForm(String(request.body))) : []
  }

  function checkAnswer({ answers }: DescribedCall, { status = 200, json }: SentAnswer): string[] {
    if (status >= 300 && !answers[status]) return []
    if (!(status in answers)) return [`answer has the status ${status} instead of ${Object.keys(answers).join(' or ')}`]
    const schema = answers[status]
    // A value is compared as it is sent.
    return schema && json !== undefined ? check('answer', schema, JSON.parse(JSON.stringify(json))) : []
  }

  return { findMismatches }
}

/** The schema that allows no fields but those it lists, and null where it says `nullable`. */
function close(schema: SchemaObject): SchemaObject {
  const closed = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (key === 'properties')
        return [key, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, close(one as SchemaObject)]))]
      if (['oneOf', 'anyOf'].includes(key)) return [key, (value as SchemaObject[]).map(close)]
      return [key, ['items', 'additionalProperties'].includes(key) && typeof value === 'object' ? close(value) : value]
    }),
  )
  if (closed['properties'] && closed['additionalProperties'] === undefined) closed['additionalProperties'] = false
  if (!closed['nullable']) return closed
  const { nullable: _, ...rest } = closed
  return { anyOf: [rest, { type: 'null' }] }
}

function rebase(schema: SchemaObject): SchemaObject {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/definitions/', '"api#/definitions/'))
}

function describeError({ instancePath, message, params }: ErrorObject): string {
  return `${instancePath} ${message} ${JSON.stringify(params)}`
}
