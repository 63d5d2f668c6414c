import type { LinkKind } from '../item-changes'
import type { LongText } from '../tracker-item'
import type { TrackerPart } from '../tracker-parts'
import type { ItemProperty } from '../tracker-process'

/** What a tracker can do beyond what all of them can. */
export interface TrackerCapabilities {
  /** The format of comments, and of long texts unless an item says otherwise. */
  textFormat: LongText['format']
  /** The kinds of links that can be added and removed. */
  linkKinds: readonly LinkKind[]
  /** The properties of items that can be set, if the project has fields for them. */
  properties: readonly ItemProperty[]
  /** What only some trackers can do. */
  parts: readonly TrackerPart[]
  /** Whether the tracker lists what has changed. Otherwise the versions of all items are compared. */
  listsChanges: boolean
  /** Whether the tracker itself refuses a change that is based on an older revision. Otherwise the item is read just before. */
  testsRevisions: boolean
}

export const ALL_LINKS = ['parent', 'child', 'predecessor', 'successor', 'related'] as const
export const USUAL_PROPERTIES = [
  'title',
  'state',
  'assignedTo',
  'description',
  'tags',
  'iterationPath',
  'storyPoints',
] as const

/** What is known about a product without calling it. Each adapter has one in its folder. */
export interface AdapterDescription {
  kind: string
  /** The name of the product. */
  product: string
  /** The short name of the kind in references, such as `gh:owner/repository#12`. */
  prefix: string
  /** Whether an address with this host is one of the product. */
  hasHost(host: string): boolean
  capabilities: TrackerCapabilities
  /** What `studio init` asks for, in the words of the product. */
  questions: { url: string; project: string; token: string }
  /** Whether a project must be named, unless the address names it. */
  needsProject: boolean
  namesProject(url: string): boolean
  /** A command that prints a token where its program is signed in; null if the product has no such program. */
  tokenCommand(url: string): string | null
  /** Whether a token belongs to an account, which must be named or may be; `never` if the product has no such thing. */
  needsAccount(url: string): 'always' | 'maybe' | 'never'
}
