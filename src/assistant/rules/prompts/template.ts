import type { Story } from '../story'
import { storyText, storyValues } from '../story'
import { type Boundary, markMaterial } from './boundary'
import { fillPlaceholders, findPlaceholders } from './placeholders'

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
