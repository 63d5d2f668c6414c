import type { AnyOperation } from '../../kernel'
import { jsonSchemaOf } from '../../kernel/input/json-schema'
import { sendsBody, wireNamesOf } from '../read-request'
import { documentedAt, isAddedInput } from './documented-api'

export type WireField = ReturnType<typeof wireFieldsOf>[number]

/** The fields of the input of an operation, as a request sends them. `name` is the one in the request. */
export function wireFieldsOf(op: AnyOperation) {
  const { method, path } = op.http!
  const { properties = {}, required = [] } = jsonSchemaOf(op.input, 'input')
  const wireNames = wireNamesOf(op)
  const documented = documentedAt(method, path)
  return Object.entries(properties).map(([field, schema]) => {
    const inPath = path.includes(`{${field}}`)
    const name = inPath ? field : (wireNames[field] ?? field)
    const place = inPath ? 'path' : sendsBody(op) ? 'body' : 'query'
    const isRequired = inPath || required.includes(field)
    return { field, name, place, schema, isRequired, isAddition: isAddedInput(documented, name) } as const
  })
}
