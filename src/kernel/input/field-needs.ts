import type { FieldNeeds } from '../operation'

/** Whether a tracker of the settings has a capability. */
export type OffersCapability = (capability: string) => boolean

/** The capability that a flag needs, by the name of the field or criterion that it gives; null for none. */
export function findNeed(needs: FieldNeeds | undefined, name: string): string | null {
  const found = Object.entries(needs ?? {}).find(([path]) => path.split('.').at(-1) === name)
  return found?.[1] ?? null
}
