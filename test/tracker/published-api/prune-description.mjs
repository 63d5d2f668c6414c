/**
 * Reduces a vendor's API description (Swagger 2 or OpenAPI 3, JSON or YAML) to chosen calls, and to the values that the checks look at:
 *
 *     node prune-description.mjs result.json 'where it is from' wit.json work.json <<< 'GET /{organization}/_apis/projects'
 *
 * Each line of standard input is a method and a path as the description has it. Texts, examples and everything that the calls do not
 * refer to are left out. `allOf` is merged, and a path parameter that the description declares as optional becomes `{name?}`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parse } from 'yaml'

const [target, source, ...files] = process.argv.slice(2)
const wanted = readFileSync(0, 'utf8').split('\n').filter(Boolean)
const calls = {}
const definitions = {}

for (const file of files) {
  const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  const description = file.endsWith('.json') ? JSON.parse(text) : parse(text)
  const paths = { ...description.paths, ...description['x-ms-paths'] }
  for (const call of wanted) {
    const [method, path] = call.split(' ')
    const operation = paths[path]?.[method.toLowerCase()]
    if (operation) addCall(description, method, path, paths[path], operation)
  }
}
const found = Object.keys(calls).map((call) => call.replaceAll('?}', '}'))
const missing = wanted.filter((call) => !found.includes(call))
if (missing.length > 0) throw new Error(`No description has ${missing.join(', ')}.`)
writeFileSync(target, `${JSON.stringify({ source, calls, definitions: sortKeys(definitions) }, null, 1)}\n`)

function addCall(description, method, path, item, operation) {
  const resolve = (value) => (value?.$ref ? resolve(at(description, value.$ref)) : value)
  const toSchema = (schema) => reduce(description, schema)
  const all = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map(resolve)
  const own = all.filter(({ in: place }) => ['path', 'query', 'header'].includes(place))
  const parameters = own.map(({ name, in: place, required, style, explode, schema, collectionFormat, ...rest }) => ({
    name,
    in: place,
    ...(required && { required }),
    ...(explode === false && { explode }),
    ...(collectionFormat === 'csv' && { explode: false }),
    ...(style && style !== 'form' && style !== 'simple' && { style }),
    schema: toSchema(schema ?? rest),
  }))
  const optional = own.filter((one) => one.in === 'path' && one['x-ms-required'] === false).map(({ name }) => name)
  const template = path.replace(/\{(\w+)\}/g, (part, name) => (optional.includes(name) ? `{${name}?}` : part))
  const body = describeBody(operation, all, resolve, toSchema)
  const answers = Object.entries(operation.responses).map(([status, answer]) => {
    const { schema, content } = resolve(answer) ?? {}
    const json = schema ?? Object.entries(content ?? {}).find(([type]) => /json/.test(type))?.[1].schema
    return [status, json ? toSchema(json) : null]
  })
  calls[`${method} ${template}`] = { parameters, ...(body && { body }), answers: Object.fromEntries(answers) }
}

function describeBody(operation, parameters, resolve, toSchema) {
  const { requestBody } = operation
  const consumes = operation.consumes ?? ['application/json']
  if (requestBody) {
    const { required, content } = resolve(requestBody)
    const types = Object.entries(content).map(([type, { schema }]) => [type, toSchema(schema)])
    return { ...(required && { required }), content: Object.fromEntries(types) }
  }
  const body = parameters.find((one) => one.in === 'body')
  const form = parameters.filter((one) => one.in === 'formData')
  if (body)
    return {
      ...(body.required && { required: true }),
      content: Object.fromEntries(consumes.map((type) => [type, toSchema(body.schema)])),
    }
  if (form.length === 0) return null
  const required = form.filter((one) => one.required).map(({ name }) => name)
  const properties = Object.fromEntries(form.map(({ name, in: _, required: __, ...rest }) => [name, toSchema(rest)]))
  const schema = { type: 'object', properties, ...(required.length > 0 && { required }) }
  return { required: required.length > 0, content: Object.fromEntries(consumes.map((type) => [type, schema])) }
}

/** The schema without what does not restrict a value. Its definitions are added to the result. */
function reduce(description, schema) {
  if (!schema || typeof schema !== 'object') return schema ?? {}
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1)
    if (!(name in definitions)) {
      definitions[name] = {}
      definitions[name] = reduce(description, at(description, schema.$ref))
    }
    return { $ref: `#/definitions/${name}` }
  }
  const isOneRef = schema.allOf?.length === 1 && schema.allOf[0].$ref && !schema.properties
  if (isOneRef) return reduce(description, schema.allOf[0])
  if (schema.allOf) return reduce(description, merge(description, schema))
  const reduced = {}
  for (const key of ['type', 'enum', 'required', 'nullable', 'minimum', 'maximum', 'maxLength', 'minItems', 'maxItems'])
    if (schema[key] !== undefined) reduced[key] = schema[key]
  if (['date-time', 'date', 'uuid', 'uri', 'binary'].includes(schema.format)) reduced.format = schema.format
  for (const key of ['oneOf', 'anyOf'])
    if (schema[key]) reduced[key] = schema[key].map((one) => reduce(description, one))
  if (schema.items) reduced.items = reduce(description, schema.items)
  if (schema.properties) reduced.properties = mapValues(schema.properties, (one) => reduce(description, one))
  const { additionalProperties: more } = schema
  // Vendors allow further fields for later versions. The checks want to know of each.
  const isOpen = more === true && schema.properties
  if (more !== undefined && !isOpen)
    reduced.additionalProperties = typeof more === 'object' ? reduce(description, more) : more
  return reduced
}

/** The union of the parts; a list that is the only part stays a list. */
function merge(description, { allOf, ...own }) {
  const parts = [...allOf, own].map((part) => {
    const target = part.$ref ? at(description, part.$ref) : part
    return target.allOf ? merge(description, target) : target
  })
  const list = parts.find(({ type }) => type === 'array')
  if (list) return list
  const merged = Object.assign({}, ...parts)
  const properties = Object.assign({}, ...parts.map((part) => part.properties))
  const required = parts.flatMap((part) => part.required ?? [])
  return {
    ...merged,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required: [...new Set(required)] }),
  }
}

function at(description, ref) {
  return ref
    .slice(2)
    .split('/')
    .reduce((value, key) => value[decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')], description)
}

function mapValues(value, map) {
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, map(one)]))
}

function sortKeys(value) {
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}
