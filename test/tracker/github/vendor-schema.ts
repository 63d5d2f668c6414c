import { schema as published } from '@octokit/graphql-schema'
import { buildSchema, extendSchema, type GraphQLSchema, parse } from 'graphql'

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
  extend input CreateIssueInput { issueTypeId: ID }
  input AddBlockedByInput { issueId: ID! blockingIssueId: ID! clientMutationId: String }
  input RemoveBlockedByInput { issueId: ID! blockingIssueId: ID! clientMutationId: String }
  type AddBlockedByPayload { issue: Issue blockingIssue: Issue clientMutationId: String }
  type RemoveBlockedByPayload { issue: Issue blockingIssue: Issue clientMutationId: String }
  extend type Mutation {
    addBlockedBy(input: AddBlockedByInput!): AddBlockedByPayload
    removeBlockedBy(input: RemoveBlockedByInput!): RemoveBlockedByPayload
  }
`)

const cached: { current?: GraphQLSchema; older?: GraphQLSchema } = {}

/** GitHub's own description of its API, or the one of a server without types and dependencies of issues. */
export function loadVendorSchema(version: 'current' | 'older'): GraphQLSchema {
  cached.older ??= buildSchema(published.idl, { assumeValid: true, assumeValidSDL: true, noLocation: true })
  cached.current ??= extendSchema(cached.older, NEWER_FIELDS, { assumeValid: true })
  return cached[version]!
}
