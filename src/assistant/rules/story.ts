import type { Draft } from '../../drafts'
import type { CachedItem } from '../../items'
import { pureTasks } from '../../kernel'
import { type SanitizeContext, sanitizeLine, sanitizeText } from '../../sanitize'

/** A draft or a work item for a prompt: Markdown without names of people. */
export interface Story {
  title: string
  description: string | null
  acceptanceCriteria: string | null
  /** The name of the type in the process, `User Story`; null for a draft. */
  type: string | null
  state: string | null
  storyPoints: number | null
  areaPath: string | null
  iterationPath: string | null
  tags: string | null
}

/** The headings of the texts of a story in a prompt: of the short ones, which have a line each, and of the long ones. */
const headings = {
  title: 'Title',
  type: 'Type',
  state: 'State',
  storyPoints: 'Story points',
  areaPath: 'Area',
  iterationPath: 'Iteration',
  tags: 'Tags',
} as const satisfies Partial<Record<keyof Story, string>>
const longHeadings = { description: 'Description', acceptanceCriteria: 'Acceptance criteria' } as const

type StoryField = keyof typeof headings | keyof typeof longHeadings

/** The variables of a template whose values come from the story. */
export type StoryVariable = 'story' | StoryField

export function isStoryVariable(name: string): name is StoryVariable {
  return name === 'story' || Object.hasOwn(headings, name) || Object.hasOwn(longHeadings, name)
}

/** The value of a template's variable; an empty text if the story has none. */
export function getStoryValue(story: Story, name: StoryVariable): string {
  return name === 'story' ? formatStory(story) : String(story[name] ?? '')
}

/** Formats the short fields on a line each, then the long texts. Omits empty fields. */
export function formatStory(story: Story): string {
  const format = (names: object, separator: string) =>
    (Object.entries(names) as [StoryField, string][])
      .filter(([name]) => getStoryValue(story, name) !== '')
      .map(([name, heading]) => `${heading}:${separator}${getStoryValue(story, name)}`)
  return [format(headings, ' ').join('\n'), ...format(longHeadings, '\n')].join('\n\n')
}

export function createDraftStory(draft: Draft): Story {
  return {
    title: draft.title,
    description: draft.description,
    acceptanceCriteria: draft.acceptanceCriteria,
    type: null,
    state: null,
    storyPoints: draft.storyPoints,
    areaPath: draft.areaPath,
    iterationPath: draft.iterationPath,
    tags: draft.tags,
  }
}

/** Sanitizes the item, because the model may run on another machine. */
function createItemStory(item: CachedItem, options: Pick<SanitizeContext, 'people' | 'also'>): Story {
  const host = URL.canParse(item.url) ? new URL(item.url).host : ''
  const context = { trackerHosts: [host], ...options }
  const long = (text: CachedItem['description']) => (text ? sanitizeText(text, context).markdown : null)
  return {
    title: sanitizeLine(item.title, context).text,
    description: long(item.description),
    acceptanceCriteria: long(item.acceptanceCriteria),
    type: item.type,
    state: item.state,
    storyPoints: item.storyPoints,
    areaPath: item.areaPath,
    iterationPath: item.iterationPath,
    tags: item.tags.length > 0 ? sanitizeLine(item.tags.join('; '), context).text : null,
  }
}

/** What another thread can do. */
export const assistantTasks = pureTasks('assistant', { createItemStory })
