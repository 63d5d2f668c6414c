import { type FieldDefinition, requireField } from '../process/fields'
import { createBadRequestError, createPatchError } from '../wire/response'

/** A parsed step of a patch document. */
export type PatchStep =
  | { kind: 'test-rev'; value: unknown }
  | { kind: 'test-field'; field: FieldDefinition; value: unknown }
  | { kind: 'set'; field: FieldDefinition; value: unknown; merge: boolean }
  | { kind: 'clear'; field: FieldDefinition }
  | { kind: 'format'; field: FieldDefinition; format: string }
  | { kind: 'add-relation'; relation: NewRelation }
  | { kind: 'remove-relation'; at: number }

export interface NewRelation {
  rel: string
  url: string
  attributes: Record<string, unknown>
}

/** Throws a 400 for an invalid or unsupported step. */
export function parsePatch(document: unknown): PatchStep[] {
  if (!Array.isArray(document) || document.length === 0) {
    throw createBadRequestError('You must pass a valid patch document in the body of the request.')
  }
  return document.flatMap((raw) => parseStep(raw) ?? [])
}

function parseStep(raw: unknown): PatchStep | null {
  if (typeof raw !== 'object' || raw === null) throw createPatchError('A patch operation must be an object.')
  const { op, path, value } = raw as Record<string, unknown>
  if (typeof op !== 'string' || typeof path !== 'string') throw createPatchError('A patch operation needs op and path.')
  const kind = op.toLowerCase()
  if (!['add', 'replace', 'remove', 'test'].includes(kind))
    throw createPatchError(`The patch operation '${op}' is not supported.`)
  const [, root, ...rest] = path.split('/')
  const name = rest.join('/')
  switch (root?.toLowerCase()) {
    case 'rev':
      if (kind === 'test') return { kind: 'test-rev', value }
      break
    case 'id':
      return null // a batch numbers its new items
    case 'fields':
      return parseFieldStep(kind, name, value)
    case 'multilinefieldsformat':
      if (kind !== 'test') return parseFormatStep(name, value)
      break
    case 'relations':
      return parseRelationStep(kind, rest, value)
  }
  throw createPatchError(`Unable to apply the patch operation '${op}' to the path '${path}'.`)
}

function parseFieldStep(kind: string, name: string, value: unknown): PatchStep {
  const field = requireField(name)
  if (kind === 'test') return { kind: 'test-field', field, value }
  if (kind === 'remove' || value === null || value === undefined || value === '') return { kind: 'clear', field }
  return { kind: 'set', field, value, merge: kind === 'add' }
}

function parseFormatStep(name: string, value: unknown): PatchStep {
  const field = requireField(name)
  const format = String(value).toLowerCase()
  if (field.type !== 'html' || !['html', 'markdown'].includes(format)) {
    throw createPatchError(`The format '${String(value)}' is not valid for the field '${name}'.`)
  }
  return { kind: 'format', field, format: format === 'markdown' ? 'Markdown' : 'Html' }
}

function parseRelationStep(kind: string, rest: string[], value: unknown): PatchStep {
  if (kind === 'add' && rest.length === 1 && rest[0] === '-') {
    const { rel, url, attributes } = (value ?? {}) as Record<string, unknown>
    if (typeof rel !== 'string' || typeof url !== 'string') throw createPatchError('A relation needs rel and url.')
    return { kind: 'add-relation', relation: { rel, url, attributes: (attributes ?? {}) as Record<string, unknown> } }
  }
  if (kind === 'remove' && rest.length === 1 && /^\d+$/.test(rest[0]!))
    return { kind: 'remove-relation', at: Number(rest[0]) }
  throw createPatchError(`Unable to apply the patch operation '${kind}' to the path '/relations/${rest.join('/')}'.`)
}
