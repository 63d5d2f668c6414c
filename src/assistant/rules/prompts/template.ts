import { getStoryValue, isStoryVariable, type Story } from '../story'
import { type Boundary, markMaterial } from './boundary'

/** What a template writes. It decides the format of the answer and its place in a draft. */
export const targets = ['story', 'acceptance-criteria', 'test-cases', 'diagram', 'summary'] as const
export type Target = (typeof targets)[number]

export interface Template {
  id: string
  name: string
  description: string
  target: Target
  template: string
}

export function listVariables({ template }: Pick<Template, 'template'>): string[] {
  return findPlaceholders(template).map(({ name }) => name)
}

export function usesStory(template: Pick<Template, 'template'>): boolean {
  return listVariables(template).some(isStoryVariable)
}

/** The variables without a value from the story, from the caller or from a default of the template. */
export function findMissingVariables(
  template: Pick<Template, 'template'>,
  values: Readonly<Record<string, string>>,
): string[] {
  return findPlaceholders(template.template)
    .filter(({ name, defaultValue }) => !isStoryVariable(name) && defaultValue === null && !Object.hasOwn(values, name))
    .map(({ name }) => name)
}

interface TemplateValues {
  story: Story | null
  /** Values of the caller. They are trusted, so they have no marks. */
  variables: Readonly<Record<string, string>>
  boundary: Boundary
}

/** Fills in the template. Values of the story are between marks. */
export function fillTemplate({ template }: Pick<Template, 'template'>, filling: TemplateValues): string {
  const { story, variables, boundary } = filling
  return fillPlaceholders(template, (name) => {
    if (!isStoryVariable(name)) return Object.hasOwn(variables, name) ? variables[name]! : null
    return story && markMaterial(boundary, name, getStoryValue(story, name) || '(empty)')
  })
}

/** A variable in a template: `{{title}}` needs a value, `{{audience=the team}}` has a default. */
export interface Placeholder {
  name: string
  /** The default value; null if a value is required. */
  defaultValue: string | null
}

const PLACEHOLDER = /\{\{\s*([A-Za-z][A-Za-z0-9]*)\s*(?:=([^{}]*))?\}\}/g

/** Lists each placeholder once, in the order of the template. */
export function findPlaceholders(template: string): Placeholder[] {
  const found = new Map<string, Placeholder>()
  for (const [, name, defaultValue] of template.matchAll(PLACEHOLDER)) {
    const known = found.get(name!)
    if (!known) found.set(name!, { name: name!, defaultValue: defaultValue?.trim() ?? null })
    else known.defaultValue ??= defaultValue?.trim() ?? null
  }
  return [...found.values()]
}

/** Finds braces that look like a placeholder but are not valid. */
export function findStrayBraces(template: string): string | null {
  return /\{\{[^\n]{0,40}/.exec(template.replace(PLACEHOLDER, ''))?.[0] ?? null
}

/** Replaces every placeholder in one pass, so that braces in a value are not replaced. */
export function fillPlaceholders(template: string, valueFor: (name: string) => string | null): string {
  const defaultValues = new Map(findPlaceholders(template).map(({ name, defaultValue }) => [name, defaultValue]))
  return template.replace(PLACEHOLDER, (_, name: string) => valueFor(name) ?? defaultValues.get(name) ?? '')
}
