import { schema as published } from '@octokit/graphql-schema'
import {
  buildASTSchema,
  type DefinitionNode,
  type DocumentNode,
  extendSchema,
  type GraphQLSchema,
  type NameNode,
  type ObjectTypeDefinitionNode,
  parse,
} from 'graphql'

/** Documented fields that are newer than the published description. */
const NEWER_FIELDS = parse(`
  type IssueType { id: ID! name: String! isEnabled: Boolean! }
  type IssueTypeConnection { nodes: [IssueType] pageInfo: PageInfo! totalCount: Int! }
  extend type Repository { issueTypes(first: Int, after: String): IssueTypeConnection }
  extend type Issue {
    issueType: IssueType
    blockedBy(first: Int, after: String): IssueConnection!
    blocking(first: Int, after: String): IssueConnection!
  }
  enum IssueFieldDataType { DATE MULTI_SELECT NUMBER SINGLE_SELECT TEXT }
  interface IssueFieldCommon { name: String! dataType: IssueFieldDataType! description: String }
  interface IssueFieldValueCommon { field: IssueFields }
  type IssueFieldDate implements IssueFieldCommon & Node {
    id: ID! name: String! dataType: IssueFieldDataType! description: String
  }
  type IssueFieldNumber implements IssueFieldCommon & Node {
    id: ID! name: String! dataType: IssueFieldDataType! description: String
  }
  type IssueFieldText implements IssueFieldCommon & Node {
    id: ID! name: String! dataType: IssueFieldDataType! description: String
  }
  type IssueFieldSingleSelect implements IssueFieldCommon & Node {
    id: ID! name: String! dataType: IssueFieldDataType! description: String options: [IssueFieldSingleSelectOption!]!
  }
  type IssueFieldMultiSelect implements IssueFieldCommon & Node {
    id: ID! name: String! dataType: IssueFieldDataType! description: String options: [IssueFieldSingleSelectOption!]!
  }
  type IssueFieldSingleSelectOption implements Node { id: ID! name: String! description: String }
  union IssueFields = IssueFieldDate | IssueFieldMultiSelect | IssueFieldNumber | IssueFieldSingleSelect | IssueFieldText
  type IssueFieldsConnection { nodes: [IssueFields] pageInfo: PageInfo! totalCount: Int! }
  type IssueFieldDateValue implements IssueFieldValueCommon & Node { id: ID! field: IssueFields value: String! }
  type IssueFieldNumberValue implements IssueFieldValueCommon & Node { id: ID! field: IssueFields value: Float! }
  type IssueFieldTextValue implements IssueFieldValueCommon & Node { id: ID! field: IssueFields value: String! }
  type IssueFieldSingleSelectValue implements IssueFieldValueCommon & Node {
    id: ID! field: IssueFields name: String! optionId: String
  }
  type IssueFieldMultiSelectValue implements IssueFieldValueCommon & Node {
    id: ID! field: IssueFields options: [IssueFieldSingleSelectOption!]! value: String
  }
  union IssueFieldValue =
    IssueFieldDateValue | IssueFieldMultiSelectValue | IssueFieldNumberValue | IssueFieldSingleSelectValue | IssueFieldTextValue
  type IssueFieldValueConnection { nodes: [IssueFieldValue] pageInfo: PageInfo! totalCount: Int! }
  extend type Organization { issueFields(after: String, before: String, first: Int, last: Int): IssueFieldsConnection }
  extend type Issue {
    issueFieldValues(after: String, before: String, first: Int, last: Int): IssueFieldValueConnection
  }
  input IssueFieldCreateOrUpdateInput {
    fieldId: ID! dateValue: String multiSelectOptionIds: [ID!] numberValue: Float singleSelectOptionId: ID textValue: String
    delete: Boolean
  }
  input SetIssueFieldValueInput { issueId: ID! issueFields: [IssueFieldCreateOrUpdateInput!]! clientMutationId: String }
  type SetIssueFieldValuePayload { issue: Issue issueFieldValues: [IssueFieldValue!] clientMutationId: String }
  extend input CreateIssueInput { issueTypeId: ID }
  input AddBlockedByInput { issueId: ID! blockingIssueId: ID! clientMutationId: String }
  input RemoveBlockedByInput { issueId: ID! blockingIssueId: ID! clientMutationId: String }
  type AddBlockedByPayload { issue: Issue blockingIssue: Issue clientMutationId: String }
  type RemoveBlockedByPayload { issue: Issue blockingIssue: Issue clientMutationId: String }
  extend type Mutation {
    addBlockedBy(input: AddBlockedByInput!): AddBlockedByPayload
    removeBlockedBy(input: RemoveBlockedByInput!): RemoveBlockedByPayload
    setIssueFieldValue(input: SetIssueFieldValueInput!): SetIssueFieldValuePayload
  }
`)

/**
 * Which fields a server has: all, all but fields of issues with several options, none for types and dependencies of issues, or none for
 * sub-issues either.
 */
export type ServerVersion = 'current' | 'previous' | 'older' | 'oldest'

const cached = new Map<ServerVersion, GraphQLSchema>()

/** GitHub's own description of its API, or the one of an older server. */
export function loadVendorSchema(version: ServerVersion): GraphQLSchema {
  const known = cached.get(version)
  if (known) return known
  const schema =
    version === 'current' || version === 'previous'
      ? extendSchema(
          build(addItemsQuery(parsePublished())),
          version === 'current' ? NEWER_FIELDS : removeMultiSelect(NEWER_FIELDS),
          { assumeValid: true },
        )
      : build(version === 'older' ? parsePublished() : removeSubIssues(parsePublished()))
  cached.set(version, schema)
  return schema
}

function build(document: DocumentNode): GraphQLSchema {
  return buildASTSchema(document, { assumeValid: true, assumeValidSDL: true })
}

/** The items of a board can be filtered, with the filters of its views: `items(query: "status:Done")`. */
function addItemsQuery({ kind, definitions }: DocumentNode): DocumentNode {
  const [type] = parse('type ProjectV2 { items(query: String): Int }').definitions as [ObjectTypeDefinitionNode]
  const { arguments: added } = type.fields![0]!
  const extend = (one: DefinitionNode): DefinitionNode =>
    one.kind === 'ObjectTypeDefinition' && one.name.value === 'ProjectV2'
      ? {
          ...one,
          fields: one.fields?.map((field) =>
            field.name.value === 'items' ? { ...field, arguments: [...field.arguments!, ...added!] } : field,
          ),
        }
      : one
  return { kind, definitions: definitions.map(extend) }
}

function parsePublished(): DocumentNode {
  return parse(published.idl, { noLocation: true })
}

function removeMultiSelect({ kind, definitions }: DocumentNode): DocumentNode {
  const isKept = ({ name }: { name: NameNode }) => !/multi_?select/i.test(name.value)
  const rest = definitions.flatMap((one): DefinitionNode[] => {
    if ('name' in one && one.name && !isKept({ name: one.name })) return []
    if (one.kind === 'UnionTypeDefinition') return [{ ...one, types: one.types?.filter(isKept) }]
    if (one.kind === 'EnumTypeDefinition') return [{ ...one, values: one.values?.filter(isKept) }]
    if (one.kind === 'InputObjectTypeDefinition') return [{ ...one, fields: one.fields?.filter(isKept) }]
    return [one]
  })
  return { kind, definitions: rest }
}

const isOfSubIssues = ({ name }: { name: NameNode }) => /^parent$|^parentIssueId$|subIssue/i.test(name.value)

function removeSubIssues({ kind, definitions }: DocumentNode): DocumentNode {
  const rest = definitions.flatMap((one): DefinitionNode[] => {
    if ('name' in one && /^(Add|Remove|Reprioritize)SubIssue(Input|Payload)$/.test(one.name?.value ?? '')) return []
    const isObject = one.kind === 'ObjectTypeDefinition' && ['Issue', 'Mutation'].includes(one.name.value)
    if (isObject) return [{ ...one, fields: one.fields?.filter((field) => !isOfSubIssues(field)) }]
    if (one.kind === 'InputObjectTypeDefinition' && one.name.value === 'CreateIssueInput')
      return [{ ...one, fields: one.fields?.filter((field) => !isOfSubIssues(field)) }]
    return [one]
  })
  return { kind, definitions: rest }
}
