import { getAdapter, type TrackerKind } from '../adapters'
import type { LinkKind } from '../item-changes'
import type { TrackerPart } from '../tracker-parts'
import type { ItemProperty } from '../tracker-process'
import type { TrackerCapabilities } from './adapter'

/** Something that some trackers can do and others cannot, as operations name it. */
export type Capability = `link:${LinkKind}` | `property:${ItemProperty}` | `part:${TrackerPart}`

/** The capabilities of a tracker. They are known without calling it. */
export function getCapabilities(kind: TrackerKind): TrackerCapabilities {
  return getAdapter(kind).capabilities
}

/** Whether at least one of the trackers has the capability. */
export function isOffered(capability: string, kinds: readonly TrackerKind[]): boolean {
  return kinds.some((kind) => {
    const { linkKinds, properties, parts } = getCapabilities(kind)
    const all: string[] = [
      ...linkKinds.map((link): Capability => `link:${link}`),
      ...properties.map((property): Capability => `property:${property}`),
      ...parts.map((part): Capability => `part:${part}`),
    ]
    return all.includes(capability)
  })
}
