import fc from 'fast-check'

type Schema = Record<string, any>

/** Values that fit a schema of the description, mostly. Ids are drawn from those that the sandbox has, so that calls meet something. */
export function valueFor(schema: Schema, description: any): fc.Arbitrary<unknown> {
  if (schema.$ref) return valueFor(resolve(schema.$ref, description), description)
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return fc.oneof(...choices.map((choice: Schema) => valueFor(choice, description)))
  const types = ([] as string[]).concat(schema.type ?? 'string')
  return fc.oneof(...types.map((type) => ofType(type, schema, description)))
}

function ofType(type: string, schema: Schema, description: any): fc.Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return integer(schema)
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e6, max: schema.maximum ?? 1e6, noNaN: true })
    case 'array':
      return fc.array(valueFor(schema.items ?? {}, description), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 4, (schema.minItems ?? 0) + 4),
      })
    case 'object':
      return object(schema, description)
    default:
      return text(schema)
  }
}

function integer({ minimum, exclusiveMinimum, maximum }: Schema): fc.Arbitrary<number> {
  const min = minimum ?? (exclusiveMinimum === undefined ? -1_000 : exclusiveMinimum + 1)
  const max = maximum ?? Math.max(min, 1_000_000)
  const known = [1, 2, 101, 201, 204, 343].filter((id) => id >= min && id <= max)
  return fc.oneof(fc.integer({ min, max }), ...(known.length > 0 ? [fc.constantFrom(...known)] : []))
}

function object(schema: Schema, description: any): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema
  const own = fc.record(
    Object.fromEntries(
      Object.entries<Schema>(properties).map(([name, property]) => [name, valueFor(property, description)]),
    ),
    { requiredKeys: required.filter((name: string) => name in properties) },
  )
  if (typeof additionalProperties !== 'object') return own
  const more = fc.dictionary(
    fc.constantFrom('State', 'priority', 'Iteration', 'x'),
    valueFor(additionalProperties, description),
  )
  return fc.tuple(own, more).map(([a, b]) => ({ ...b, ...a }))
}

function text({ format, pattern, minLength = 0, maxLength = 60 }: Schema): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.uuid({ version: 4 })
  if (format === 'date')
    return fc
      .date({ min: new Date('2026-01-01'), max: new Date('2028-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10))
  if (format === 'date-time') return instant
  if (pattern) return fc.stringMatching(new RegExp(pattern))
  const most = Math.min(maxLength, minLength + 60)
  return fc.oneof(
    fc
      .constantFrom('door', 'Active', 'a', '@me', 'DC1')
      .filter((word) => word.length >= minLength && word.length <= most),
    fc.string({ minLength, maxLength: most }),
    fc.string({ minLength, maxLength: most, unit: 'binary' }),
  )
}

/** An instant in UTC or with an offset. */
const instant = fc
  .tuple(
    fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-30'), noInvalidDate: true }),
    fc.constantFrom('Z', '+00:00', '+02:00', '-09:30'),
  )
  .map(([date, offset]) => date.toISOString().replace('Z', offset))

export function resolve(ref: string, description: any): any {
  return ref
    .slice(2)
    .split('/')
    .reduce((node, part) => node[part.replaceAll('~1', '/').replaceAll('~0', '~')], description)
}

/** What no schema asked for. */
export const nonsense: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, '', '\u0000', -1, 1e21, [], {}, true, 'NaN', '../../etc/passwd', "' or 1=1 --", '\ud800'),
  fc.string({ unit: 'binary' }),
  fc.integer(),
)
