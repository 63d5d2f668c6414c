import { readFileSync } from 'node:fs'
import {
  buildASTSchema,
  type DefinitionNode,
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  parse,
} from 'graphql'

/** Which fields a server has: all of an Enterprise Edition, or those of an older Community Edition. */
export type ServerVersion = 'current' | 'older'

const cached = new Map<ServerVersion, GraphQLSchema>()

/** The published description of the API, or the one of an older server. */
export function loadVendorSchema(version: ServerVersion): GraphQLSchema {
  const known = cached.get(version)
  if (known) return known
  const published = parse(readFileSync(new URL('./vendor-schema.graphql', import.meta.url), 'utf8'))
  const schema = buildASTSchema(version === 'older' ? removeNewer(published) : published)
  cached.set(version, schema)
  return schema
}

const ENTERPRISE = /^WorkItemWidget(?:Definition)?(?:Weight|Iteration|HealthStatus|Status|CustomFields)$/

function removeNewer({ kind, definitions }: DocumentNode): DocumentNode {
  const rest = definitions.flatMap((one): DefinitionNode[] => {
    if (one.kind !== 'ObjectTypeDefinition') return [one]
    if (ENTERPRISE.test(one.name.value)) return []
    if (one.name.value !== 'Project') return [one]
    const fields = one.fields
      ?.filter(({ name }) => name.value !== 'iterations')
      .map((field) => ({ ...field, arguments: field.arguments?.filter(({ name }) => name.value !== 'ids') }))
    return [{ ...one, fields }]
  })
  return { kind, definitions: rest }
}

/** The error as GitLab words it. Its server stops after the fifth. */
export function toGitLabError({ message }: GraphQLError): { message: string; extensions?: object } {
  const [, field, type] = /^Cannot query field "(\w+)" on type "(\w+)"/.exec(message) ?? []
  if (field)
    return {
      message: `Field '${field}' doesn't exist on type '${type}'`,
      extensions: { code: 'undefinedField', typeName: type, fieldName: field },
    }
  const [, unknown] = /^Unknown type "(\w+)"/.exec(message) ?? []
  if (unknown)
    return {
      message: `No such type ${unknown}, so it can't be a fragment condition`,
      extensions: { code: 'undefinedType', typeName: unknown },
    }
  const [, argument, owner] = /^Unknown argument "(\w+)" on field "[\w.]*?(\w+)"/.exec(message) ?? []
  if (argument)
    return {
      message: `Field '${owner}' doesn't accept argument '${argument}'`,
      extensions: { code: 'argumentNotAccepted', name: owner, typeName: 'Field', argumentName: argument },
    }
  return { message }
}
