import { de } from './texts/de'
import { en, type GateTexts } from './texts/en'
import { es } from './texts/es'
import { fr } from './texts/fr'
import { pl } from './texts/pl'

/** The languages of the check-in page, in the order in which it offers them. */
export const gateTexts = { en, de, fr, es, pl } satisfies Record<string, GateTexts>
export type GateLanguage = keyof typeof gateTexts

export function isGateLanguage(name: unknown): name is GateLanguage {
  return typeof name === 'string' && Object.hasOwn(gateTexts, name)
}

const MAX_CHOICES = 20

/** The language that a browser prefers, by its Accept-Language; English if it wants none of these. */
export function preferLanguage(header: string | undefined): GateLanguage {
  const choices = (header ?? '').split(',', MAX_CHOICES).map((choice) => {
    const [range = '', ...parameters] = choice.trim().toLowerCase().split(';')
    const quality = parameters.map((one) => one.trim()).find((one) => one.startsWith('q='))
    return { language: range.split('-')[0]!.trim(), weight: quality === undefined ? 1 : Number(quality.slice(2)) || 0 }
  })
  const wanted = choices.filter(({ language, weight }) => weight > 0 && isGateLanguage(language))
  // The sort is stable: of equal ones the first is preferred.
  const [best] = wanted.sort((a, b) => b.weight - a.weight)
  return (best?.language as GateLanguage | undefined) ?? 'en'
}
