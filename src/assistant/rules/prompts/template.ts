import { type Story, storyText, storyValues } from '../story'
import { type Boundary, markMaterial } from './boundary'

/** What a template is for: it decides which form the answer has, and where it goes in a draft. */
export const targets = ['story', 'acceptance-criteria', 'test-cases', 'diagram', 'summary'] as const
export type Target = (typeof targets)[number]

export interface Template {
  id: string
  name: string
  description: string
  target: Target
  template: string
}

/** The names that a template can use without being given them. */
export const STORY_VARIABLES = [
  'story',
  'title',
  'description',
  'acceptanceCriteria',
  'type',
  'state',
  'storyPoints',
  'areaPath',
  'iterationPath',
  'tags',
] as const
export type StoryVariable = (typeof STORY_VARIABLES)[number]

export function variablesOf({ template }: Pick<Template, 'template'>): string[] {
  return findPlaceholders(template).map(({ name }) => name)
}

export function usesStory(template: Pick<Template, 'template'>): boolean {
  return variablesOf(template).some(isStoryVariable)
}

export function isStoryVariable(name: string): name is StoryVariable {
  return (STORY_VARIABLES as readonly string[]).includes(name)
}

/** The variables that neither the story, nor the caller, nor the template itself gives a value. */
export function missingVariables(
  template: Pick<Template, 'template'>,
  given: Readonly<Record<string, string>>,
): string[] {
  return findPlaceholders(template.template)
    .filter(({ name, fallback }) => !isStoryVariable(name) && fallback === null && !Object.hasOwn(given, name))
    .map(({ name }) => name)
}

export interface Filling {
  story: Story | null
  /** What the caller says; it is his own word, and stands unmarked. */
  variables: Readonly<Record<string, string>>
  boundary: Boundary
}

/** The prompt. What comes from the story stands between marks. */
export function fillTemplate({ template }: Pick<Template, 'template'>, filling: Filling): string {
  const { story, variables, boundary } = filling
  const values = story ? storyValues(story) : null
  return fillPlaceholders(template, (name) => {
    if (!isStoryVariable(name)) return Object.hasOwn(variables, name) ? variables[name]! : null
    if (!story || !values) return null
    return markMaterial(boundary, name, name === 'story' ? storyText(story) : values[name] || '(empty)')
  })
}

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
