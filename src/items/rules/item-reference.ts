import { getAdapter, type TrackerKind } from '../../tracker/adapters'

/**
 * The reference of an item, if that is not its ID. An item of a further tracker is called by the name of its tracker and its key. In the
 * default tracker `owner/repository#12` is `#12`, and `ABC-7` is `ABC-7`.
 */
export function createReference({ id, key }: { id: number; key: string }, trackerName: string | null): string | null {
  if (trackerName !== null) return `${trackerName}:${key}`
  return key === String(id) || key.endsWith(`#${id}`) ? null : key
}

/** The reference with another name of the tracker. */
export function renameReference(reference: string | null, name: string): string | null {
  return reference && `${name}:${reference.slice(reference.indexOf(':') + 1)}`
}

/** How an item is shown and typed: `#101`, `ABC-7`, `gh:owner/repository#12`. */
export function showReference(id: number, reference: string | null): string {
  return reference ?? `#${id}`
}

/** How an item that was read from a tracker is shown where its tracker is clear. */
export function nameTrackerItem(item: { id: number; key: string }): string {
  return showReference(item.id, createReference(item, null))
}

export interface ParsedReference {
  /** What is before the colon; null for none. */
  prefix: string | null
  key: string
}

/** Parses `101`, `#101`, `ABC-7`, `owner/repository#12` and the last ones after `name:`. Null for other texts. */
export function parseReference(text: string): ParsedReference | null {
  const match = /^(?:([a-z][a-z0-9-]{0,19}):)?([^\s:]{1,200})$/.exec(text.trim())
  return match ? { prefix: match[1] ?? null, key: match[2]! } : null
}

/** Whether a tracker of this name and kind is meant by what is before the colon. A name goes before a kind. */
export function isMeantBy(prefix: string, { name, kind }: { name: string; kind: TrackerKind }): 'name' | 'kind' | null {
  if (prefix === name) return 'name'
  return getAdapter(kind).prefix === prefix ? 'kind' : null
}
