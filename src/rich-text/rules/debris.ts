import type { Debris, DebrisKind } from '../model'

/** Notes what a reader leaves out. */
export function note(debris: Debris[], kind: DebrisKind, count = 1): void {
  for (let i = 0; i < count; i++) debris.push({ type: 'debris', kind })
}
