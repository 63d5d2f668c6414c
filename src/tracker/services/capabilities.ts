import type { LinkKind } from '../item-changes'
import type { LongText } from '../tracker-item'
import type { ItemProperty } from '../tracker-process'
import type { TrackerKind } from './tracker-kind'

/** What a tracker can do beyond what all of them can. */
export interface TrackerCapabilities {
  /** The format of comments, and of long texts unless an item says otherwise. */
  textFormat: LongText['format']
  /** The kinds of links that can be added and removed. */
  linkKinds: readonly LinkKind[]
  /** The properties of items that can be set, if the project has fields for them. */
  properties: readonly ItemProperty[]
  /** Whether the tracker lists what has changed. Otherwise the versions of all items are compared. */
  listsChanges: boolean
  /** Whether the tracker itself refuses a change that is based on an older revision. Otherwise the item is read just before. */
  testsRevisions: boolean
}

/** Something that some trackers can do and others cannot, as operations name it. */
export type Capability = `link:${LinkKind}` | `property:${ItemProperty}`

const ALL_LINKS = ['parent', 'child', 'predecessor', 'successor', 'related'] as const
const USUAL_PROPERTIES = [
  'title',
  'state',
  'assignedTo',
  'description',
  'tags',
  'iterationPath',
  'storyPoints',
] as const
const capabilitiesByKind: Record<TrackerKind, TrackerCapabilities> = {
  'azure-devops': {
    textFormat: 'html',
    linkKinds: ALL_LINKS,
    properties: [...USUAL_PROPERTIES, 'priority', 'areaPath', 'acceptanceCriteria'],
    listsChanges: true,
    testsRevisions: true,
  },
  github: {
    textFormat: 'markdown',
    linkKinds: ['parent', 'child', 'predecessor', 'successor'],
    properties: USUAL_PROPERTIES,
    listsChanges: false,
    testsRevisions: false,
  },
  jira: {
    textFormat: 'markdown',
    linkKinds: ALL_LINKS,
    properties: [...USUAL_PROPERTIES, 'priority'],
    listsChanges: true,
    testsRevisions: false,
  },
}

/** The capabilities of a tracker. They are known without calling it. */
export function getCapabilities(kind: TrackerKind): TrackerCapabilities {
  return capabilitiesByKind[kind]
}

/** Whether at least one of the trackers has the capability. */
export function isOffered(capability: string, kinds: readonly TrackerKind[]): boolean {
  return kinds.some((kind) => {
    const { linkKinds, properties } = getCapabilities(kind)
    const all: string[] = [
      ...linkKinds.map((link): Capability => `link:${link}`),
      ...properties.map((property): Capability => `property:${property}`),
    ]
    return all.includes(capability)
  })
}
