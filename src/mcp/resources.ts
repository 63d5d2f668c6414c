import {
  type ListResourcesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server'
import type { AgentAction } from './actions'
import { bounded, DEFAULT_LIMIT } from './bounded-answer'
import { answerOf, type Calling, findAction } from './run-action'
import { NOTICE } from './tool-answer'

/** A kind of resource of the workspace. `{id}` in its URI is a whole number. */
interface ResourceKind {
  uri: string
  name: string
  title: string
  description: string
  /** The action that returns it, and its input. */
  action: string
  inputOf(id: number): Record<string, unknown>
  /** The action that lists all resources of this kind, if they are listed. */
  list?: string
}

const kinds: readonly ResourceKind[] = [
  {
    uri: 'studio://report/summary',
    name: 'report-summary',
    title: 'Leadership summary',
    description: 'Totals, completion, blockers and what is at risk, from the cached work items',
    action: 'reports.summary',
    inputOf: () => ({}),
  },
  {
    uri: 'studio://report/briefing',
    name: 'report-briefing',
    title: 'Status briefing',
    description: 'The briefing written by fixed rules, without a language model',
    action: 'reports.briefing',
    inputOf: () => ({ mode: 'deterministic' }),
  },
  {
    uri: 'studio://report/hierarchy',
    name: 'report-hierarchy',
    title: 'Feature hierarchy',
    description: 'Every feature with its stories and tasks, points and blockers',
    action: 'reports.hierarchy',
    inputOf: () => ({}),
  },
  {
    uri: 'studio://report/hierarchy/{id}',
    name: 'report-feature',
    title: 'Hierarchy of one feature',
    description: 'One feature with its stories and tasks, points and blockers; id is its work item ID',
    action: 'reports.hierarchy',
    inputOf: (id) => ({ featureId: id }),
  },
  {
    uri: 'studio://draft/{id}',
    name: 'draft',
    title: 'Draft story',
    description: 'A draft story with all of its texts',
    action: 'drafts.get',
    inputOf: (id) => ({ id }),
    list: 'drafts.list',
  },
  {
    uri: 'studio://item/{id}',
    name: 'item',
    title: 'Work item',
    description: 'A cached work item with all of its texts, as it was last fetched from the tracker',
    action: 'items.get',
    inputOf: (id) => ({ id, cached: true }),
    list: 'items.list',
  },
]

const MEDIA_TYPE = 'application/json'
const MAX_PAGE_ENTRIES = 100

export function resourceTemplatesOf(actions: readonly AgentAction[]): ResourceTemplateType[] {
  const attachments = actions.some(({ id }) => id === 'items.attachment') ? [ATTACHMENT] : []
  return kinds
    .flatMap(({ uri, name, title, description, action }) =>
      uri.includes('{id}') && actions.some(({ id }) => id === action)
        ? [{ uriTemplate: uri, name, title, description, mimeType: MEDIA_TYPE } as ResourceTemplateType]
        : [],
    )
    .concat(attachments)
}

/** The reports, then the drafts, then the cached work items by ID. The cursor is the last URI of the previous page. */
export async function listResources(cursor: string | null, calling: Calling): Promise<ListResourcesResult> {
  const after = cursor === null ? null : placeOf(cursor)
  if (cursor !== null && after === null)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'cursor must be the nextCursor of a list of resources.')
  const all = (await Promise.all(kinds.map((kind) => resourcesOf(kind, calling)))).flat()
  const remaining = after === null ? all : all.filter(({ uri }) => isAfter(placeOf(uri)!, after))
  const resources = remaining.slice(0, MAX_PAGE_ENTRIES)
  return { resources, ...(remaining.length > resources.length ? { nextCursor: resources.at(-1)!.uri } : {}) }
}

async function resourcesOf(kind: ResourceKind, calling: Calling): Promise<Resource[]> {
  const { uri, name, title, description } = kind
  if (!findAction(kind.action, calling)) return []
  if (!uri.includes('{id}')) return [{ uri, name, title, description, mimeType: MEDIA_TYPE }]
  const list = findAction(kind.list, calling)
  if (!list) return []
  const entries: { id: number; title: string }[] = await answerOf(list, {}, calling)
  return entries
    .sort((a, b) => a.id - b.id)
    .map((entry) => ({
      uri: uri.replace('{id}', String(entry.id)),
      name: `${name}-${entry.id}`,
      title: `${entry.id} ${entry.title}`,
      mimeType: MEDIA_TYPE,
    }))
}

/** A file of a work item: `name` is its name or its ID. It is not listed, because the tracker would be asked for each item. */
const ATTACHMENT = {
  uriTemplate: 'studio://item/{id}/attachment/{name}',
  name: 'item-attachment',
  title: 'Attachment of a work item',
  description:
    'A file of a work item, of at most 2 MB: a text as text, anything else as bytes. The action items.attachments lists the names',
} as const
const MAX_ATTACHMENT_BYTES = 2_000_000

async function readAttachment(uri: string, calling: Calling): Promise<ReadResourceResult | null> {
  const [, id, name] = /^studio:\/\/item\/([1-9]\d{0,14})\/attachment\/([^/]{1,3000})$/.exec(uri) ?? []
  if (id === undefined || name === undefined) return null
  const action = findAction('items.attachment', calling)
  const attachment = decodeName(name)
  if (!action || attachment === null) throw new ResourceNotFoundError(uri)
  const file = await answerOf(action, { id: Number(id), attachment }, calling)
  if (file.bytes > MAX_ATTACHMENT_BYTES)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The attachment has more than 2 MB.')
  const text = file.type === 'application/octet-stream' ? toText(Buffer.from(file.content, 'base64')) : null
  return {
    contents: [
      text === null ? { uri, mimeType: file.type, blob: file.content } : { uri, mimeType: 'text/plain', text },
    ],
  }
}

function decodeName(name: string): string | null {
  try {
    return decodeURIComponent(name)
  } catch {
    return null
  }
}

/** Null for bytes that are no text in UTF-8. */
function toText(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}

/** The content has the same limits as a tool's answer: `cut` names the shortened lists. */
export async function readResource(uri: string, calling: Calling): Promise<ReadResourceResult> {
  const attachment = await readAttachment(uri, calling)
  if (attachment !== null) return attachment
  const place = placeOf(uri)
  const kind = place && kinds[place.kind]!
  const action = findAction(kind?.action, calling)
  if (!place || !kind || !action) throw new ResourceNotFoundError(uri)
  const input = kind.inputOf(place.id)
  const content = await answerOf(action, input, calling, ({ op, answer }) => {
    const wanted = { limit: DEFAULT_LIMIT, cursor: null, fields: null, isStructured: true }
    const { result, cut, omitted } = bounded(answer, { wanted, op, input, shape: action.output })
    return { notice: NOTICE, result, cut, omitted }
  })
  return { contents: [{ uri, mimeType: MEDIA_TYPE, text: JSON.stringify(content) }] }
}

/** The kind of resource that a URI names, and its ID. */
interface Place {
  kind: number
  id: number
}

function placeOf(uri: string): Place | null {
  for (const [kind, { uri: pattern }] of kinds.entries()) {
    const [start, end] = pattern.split('{id}') as [string, string | undefined]
    if (end === undefined && uri === pattern) return { kind, id: 0 }
    if (end === undefined || !uri.startsWith(start)) continue
    const id = uri.slice(start.length)
    if (/^[1-9]\d{0,14}$/.test(id)) return { kind, id: Number(id) }
  }
  return null
}

function isAfter(a: Place, b: Place): boolean {
  return a.kind === b.kind ? a.id > b.id : a.kind > b.kind
}
