import type { Effect } from '../kernel'

/** A subject that an agent works on, with its tools. */
interface Topic {
  /** By which a client asks for its tools. */
  name: string
  /** Parts of the catalog: the part before the dot of an operation's id. */
  nouns: readonly string[]
  about: string
  /** The tool of each effect: its name and its title. */
  tools: Partial<Record<Effect, readonly [name: string, title: string]>>
}

const topics: readonly Topic[] = [
  {
    name: 'search',
    nouns: ['search', 'index'],
    about: 'the local index over cached work items, drafts and folders',
    tools: {
      read: ['search_workspace', 'Search the workspace'],
      mirror: ['rebuild_search', 'Rebuild the search index'],
    },
  },
  {
    name: 'items',
    nouns: ['items', 'features', 'tracker', 'queries'],
    about:
      'work items of the trackers, and the local copies of them. Where an action takes the ID of an item, it also takes its reference, such as jira:ABC-7 or gh:owner/repository#12',
    tools: {
      read: ['read_work_items', 'Read work items'],
      mirror: ['fetch_work_items', 'Fetch work items from the tracker'],
      write: ['update_work_items', 'Change work items in the tracker'],
    },
  },
  {
    name: 'drafts',
    nouns: ['drafts', 'folders'],
    about: 'draft stories, which belong to this workspace alone, and their folders',
    tools: { read: ['read_drafts', 'Read drafts'], write: ['edit_drafts', 'Write, move and delete drafts'] },
  },
  {
    name: 'filters',
    nouns: ['filters', 'views'],
    about: 'saved filters and views and the working filter over cached work items',
    tools: { read: ['read_filters', 'Read filters'], write: ['edit_filters', 'Keep and clear filters'] },
  },
  {
    name: 'reports',
    nouns: ['reports', 'priorities'],
    about: 'features with totals, blockers and progress; the summary, the briefing, and which features are prioritized',
    tools: { read: ['read_reports', 'Read reports'], write: ['set_priorities', 'Prioritize features'] },
  },
  {
    name: 'model',
    nouns: ['llm', 'prompts', 'chat'],
    about: "the language model on the user's own host, and its prompt templates",
    tools: { read: ['ask_model', 'Ask the local language model'] },
  },
  {
    name: 'docks',
    nouns: ['appointments', 'attachments', 'holds', 'waitlist', 'series', 'facilities', 'doors', 'yard'],
    about: 'loading docks: facilities, what is free there, and appointments',
    tools: { read: ['read_docks', 'Look at docks'], write: ['book_docks', 'Book, move and cancel appointments'] },
  },
  {
    name: 'webhooks',
    nouns: ['webhooks', 'mail-templates'],
    about: 'where changes of dock appointments are sent, and what the mails about them say',
    tools: {
      read: ['read_webhooks', 'Read webhooks'],
      write: ['edit_webhooks', 'Add, change, test and remove webhooks'],
    },
  },
]

const verbs: Record<Effect, string> = { read: 'read', mirror: 'fetch', write: 'change' }

export const topicNames = topics.map(({ name }) => name)

export interface AgentTool {
  name: string
  title: string
  /** The name of its topic. */
  topic: string
  about: string
}

/** The tool of an operation. A noun without a topic gets its own tools: `change_filters`, `read_labels`. */
export function toolFor(id: string, effect: Effect): AgentTool {
  const noun = id.split('.')[0]!
  const topic = topics.find(({ nouns }) => nouns.includes(noun))
  const plain = `${verbs[effect]} ${noun}`
  const [name, title] = topic?.tools[effect] ?? [plain.replace(/\W/g, '_'), plain]
  return { name, title, topic: topic?.name ?? noun, about: topic?.about ?? noun }
}

const itemDetails = [
  'description',
  'descriptionFormat',
  'acceptanceCriteria',
  'acceptanceCriteriaFormat',
  'localRev',
  'remoteRev',
  'fetchedAt',
  'fromFile',
  'url',
]

/**
 * Fields that are left out of the entries of a list, mostly long texts. The action that gets a single entry returns them, and so does the
 * list if `fields` names them.
 */
export const detailFields: Readonly<Record<string, readonly string[]>> = {
  'items.list': itemDetails,
  'items.import-single': itemDetails,
  'queries.import': itemDetails,
  'drafts.list': ['description', 'acceptanceCriteria'],
  'prompts.list': ['template'],
  'search.fast': ['highlights'],
}
