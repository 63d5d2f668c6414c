import type { RecordedOperation } from '../../kernel'
import { isRecord } from '../../kernel/json'

/** What the fields of an input name. A field that is not listed is a text of its caller, and no part of an entry. */
const kinds: Readonly<Record<string, string>> = {
  itemIds: 'item',
  featureId: 'item',
  featureIds: 'item',
  designated: 'item',
  parentId: 'item',
  childIds: 'item',
  predecessorIds: 'item',
  successorIds: 'item',
  relatedIds: 'item',
  folderId: 'folder',
  facilityId: 'facility',
  facilityCode: 'facility',
  facility: 'facility',
  code: 'facility',
  doorId: 'door',
  otherId: 'appointment',
  eventId: 'event',
  tracker: 'tracker',
  email: 'person',
}

/** What `id` names, by the part of the operation's ID before the dot. */
const nouns: Readonly<Record<string, string>> = {
  features: 'item',
  items: 'item',
  drafts: 'draft',
  folders: 'folder',
  filters: 'filter',
  views: 'view',
  appointments: 'appointment',
  attachments: 'attachment',
  holds: 'hold',
  waitlist: 'waitlist-entry',
  series: 'series',
  facilities: 'facility',
  carriers: 'facility',
  doors: 'door',
  yard: 'trailer',
  webhooks: 'webhook',
  'mail-templates': 'mail-template',
  tenants: 'tenant',
  tokens: 'token',
  sessions: 'session',
  staff: 'member',
}

/** What `id` names where it is not what the operation is about. */
const exceptions: Readonly<Record<string, string>> = {
  'drafts.copy-sanitize': 'item',
  'attachments.add': 'appointment',
  'items.publish-draft': 'draft',
  'tenants.revoke-key': 'key',
  'tenants.create-key': 'key',
  'carriers.invite': 'invitation',
  'carriers.revoke-invitation': 'invitation',
  'facilities.revoke-gate-link': 'gate-link',
  'yard.add-spots': 'facility',
  'yard.remove-spot': 'facility',
  'folders.create': 'folder',
  'folders.update': 'folder',
}

const MAX_TARGETS = 10

/** What a call names, such as `item:204`, and what it has made, by the ID in what its transaction returns. */
export function listTargets(
  { id: operation }: Pick<RecordedOperation, 'id'>,
  input: unknown,
  answer: unknown,
): string[] {
  const noun = exceptions[operation] ?? nouns[operation.split('.')[0]!] ?? null
  const targets = new Set<string>()
  const add = (kind: string | null | undefined, value: unknown) => {
    if (kind && (isId(value) || (kind === 'person' && isAddress(value)))) targets.add(`${kind}:${value}`)
  }
  const record = isRecord(input) ? input : {}
  for (const field of ['id', 'ids']) for (const value of [record[field]].flat()) add(noun, value)
  for (const made of listRecords(answer)) add(madeBy(operation, noun), made['id'])
  for (const field of Object.keys(kinds)) {
    const kind = field === 'parentId' && noun === 'folder' ? 'folder' : kinds[field]
    for (const value of [record[field]].flat()) add(kind, value)
  }
  return [...targets].slice(0, MAX_TARGETS)
}

/** An answer about the docks has what it is about in a field. */
function listRecords(answer: unknown): Record<string, unknown>[] {
  if (!isRecord(answer)) return []
  return [answer, answer['data'], answer['appointment'], answer['hold'], answer['entry'], answer['series']].filter(
    isRecord,
  )
}

function madeBy(operation: string, noun: string | null): string | null {
  if (operation === 'attachments.add') return 'attachment'
  if (operation === 'drafts.copy-sanitize') return 'draft'
  if (operation === 'items.publish-draft') return 'item'
  if (operation === 'facilities.create-gate-link') return 'gate-link'
  return noun
}

/** People who sign in by mail have no other ID. */
function isAddress(value: unknown): boolean {
  return typeof value === 'string' && /^[\w.+'-]+@[\w.-]+$/.test(value)
}

/** Free text does not fit: an entry has no texts of its input. */
function isId(value: unknown): value is string | number {
  return Number.isSafeInteger(value) || (typeof value === 'string' && /^[\w.-]{1,100}$/.test(value))
}
