import { readFileSync } from 'node:fs'
import { buildSchema, type GraphQLSchema } from 'graphql'

let cached: GraphQLSchema | null = null

/** Linear's own description of its API, with the types and fields that the adapter uses. The file says where it is from. */
export function loadVendorSchema(): GraphQLSchema {
  cached ??= buildSchema(readFileSync(new URL('vendor-schema.graphql', import.meta.url), 'utf8'))
  return cached
}
