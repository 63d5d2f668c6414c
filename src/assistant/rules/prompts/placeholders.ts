/**
 * What stands in braces in a template: `{{title}}` must be given, `{{audience=the team}}` need not. Names are letters and digits, and begin with a letter.
 */
export interface Placeholder {
  name: string
  /** What stands there where nothing is given; null where something must be. */
  fallback: string | null
}

const PLACEHOLDER = /\{\{\s*([A-Za-z][A-Za-z0-9]*)\s*(?:=([^{}]*))?\}\}/g

/** Each placeholder once, in the order in which they stand. */
export function findPlaceholders(template: string): Placeholder[] {
  const found = new Map<string, Placeholder>()
  for (const [, name, fallback] of template.matchAll(PLACEHOLDER)) {
    const known = found.get(name!)
    if (!known) found.set(name!, { name: name!, fallback: fallback?.trim() ?? null })
    else known.fallback ??= fallback?.trim() ?? null
  }
  return [...found.values()]
}

/** Braces that look like a placeholder and are none: most likely a slip. */
export function findStrayBraces(template: string): string | null {
  return /\{\{[^\n]{0,40}/.exec(template.replace(PLACEHOLDER, ''))?.[0] ?? null
}

/** The template with every placeholder replaced, once: braces in a value stay as they are. */
export function fillPlaceholders(template: string, valueFor: (name: string) => string | null): string {
  const fallbacks = new Map(findPlaceholders(template).map(({ name, fallback }) => [name, fallback]))
  return template.replace(PLACEHOLDER, (_, name: string) => valueFor(name) ?? fallbacks.get(name) ?? '')
}
