import { type SanitizeInput, sanitizeText } from '../../src/sanitize'
import { median, printFigure } from './figures'
import { texts } from './sanitize-texts'

const ROUNDS = 15
const WARM_UP_ROUNDS = 5
const TEXTS_A_ROUND = 100

const context = {
  trackerHosts: ['tracker.example.com'],
  people: ['Jane Doe', 'jane.doe@contoso.example', 'Lee, Ana (Contractor)', 'ana.lee@contoso.example'],
}

/**
 * Long texts per second of CPU time, which does not depend on other load. It includes garbage collection.
 * There is no baseline that does the same work, so these are absolute values.
 */
export async function run(): Promise<void> {
  for (const [name, input] of Object.entries(texts)) {
    for (let round = 0; round < WARM_UP_ROUNDS; round++) perSecond(input)
    printFigure({
      name: `${name}, ${(input.text.length / 1000).toFixed(1)} KB`,
      value: median(Array.from({ length: ROUNDS }, () => perSecond(input))),
      unit: '/s',
      atLeast: 500,
    })
  }
}

function perSecond(input: SanitizeInput): number {
  const before = process.cpuUsage()
  for (let count = 0; count < TEXTS_A_ROUND; count++) sanitizeText(input, context)
  const { user, system } = process.cpuUsage(before)
  return (TEXTS_A_ROUND * 1e6) / (user + system)
}
