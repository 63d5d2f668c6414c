import { loadSettings } from '../../src/config'
import { type AnyOperation, findNeed, flagsOf, type OffersCapability } from '../../src/kernel'
import { createCapabilityTest } from '../../src/offered-capabilities'
import type { Invocation } from '../start/invocation'

/** The flags that no tracker of the settings can do. */
export function listHiddenFlags(operations: readonly AnyOperation[], invocation: Invocation): ReadonlySet<string> {
  const isOffered = readOffers(invocation)
  const flags = operations.flatMap((op) =>
    flagsOf(op).filter(({ key }) => {
      const need = findNeed(op.fieldNeeds, key)
      return need !== null && !isOffered(need)
    }),
  )
  return new Set(flags.map(({ name }) => `--${name}`))
}

/** Help works with any settings. With wrong ones it shows everything. */
function readOffers({ terminal }: Invocation): OffersCapability {
  try {
    return createCapabilityTest(loadSettings({ env: terminal.env, cwd: terminal.cwd }))
  } catch {
    return () => true
  }
}
