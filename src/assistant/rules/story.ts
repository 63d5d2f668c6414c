import type { Draft } from '../../drafts'

/** The variables whose values come from the story. */
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

/** A draft or a work item for a prompt: Markdown without names of people. */
export interface Story {
  source: { kind: 'draft' | 'item'; id: number }
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

export function getStoryValues(story: Story): Record<Exclude<StoryVariable, 'story'>, string> {
  return {
    title: story.title,
    description: story.description ?? '',
    acceptanceCriteria: story.acceptanceCriteria ?? '',
    type: story.type ?? '',
    state: story.state ?? '',
    storyPoints: story.storyPoints === null ? '' : String(story.storyPoints),
    areaPath: story.areaPath ?? '',
    iterationPath: story.iterationPath ?? '',
    tags: story.tags ?? '',
  }
}

const headings = {
  title: 'Title',
  type: 'Type',
  state: 'State',
  storyPoints: 'Story points',
  areaPath: 'Area',
  iterationPath: 'Iteration',
  tags: 'Tags',
  description: 'Description',
  acceptanceCriteria: 'Acceptance criteria',
} as const

/** Formats the short fields on a line each, then the long texts. Omits empty fields. */
export function formatStory(story: Story): string {
  const values = getStoryValues(story)
  const { description, acceptanceCriteria, ...facts } = headings
  const lines = Object.entries(facts)
    .filter(([name]) => values[name as keyof typeof facts] !== '')
    .map(([name, heading]) => `${heading}: ${values[name as keyof typeof facts]}`)
  const texts = Object.entries({ description, acceptanceCriteria })
    .filter(([name]) => values[name as 'description'] !== '')
    .map(([name, heading]) => `${heading}:\n${values[name as 'description']}`)
  return [lines.join('\n'), ...texts].join('\n\n')
}

export function createDraftStory(draft: Draft): Story {
  return {
    source: { kind: 'draft', id: draft.id },
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
