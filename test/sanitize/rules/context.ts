import { type Removal, type SanitizeContext, sanitizeLine, sanitizeText } from '../../../src/sanitize'

export const context: SanitizeContext = {
  trackerHosts: ['tracker.example.com'],
  people: ['Jane Doe', 'Smith, Bob (Contractor)', 'CONTOSO\\ana.lee', 'Zoë Ångström'],
}

export const fromHtml = (text: string) => sanitizeText({ format: 'html', text }, context)
export const fromMarkdown = (text: string) => sanitizeText({ format: 'markdown', text }, context)
export const fromLine = (text: string) => sanitizeLine(text, context)

/** Returns removals as an object, so that a test can check one kind. */
export function counts(removed: readonly Removal[]): Partial<Record<Removal['kind'], number>> {
  return Object.fromEntries(removed.map(({ kind, count }) => [kind, count]))
}
