import { applyRefinement, type DraftTexts, parseMarkdownAnswer, type Target, targets } from '../../src/assistant'
import { loadOperation, type ResultOf } from '../../src/catalog'
import { execute, type OperationId, StudioError } from '../../src/kernel'
import { printableLine } from '../terminal/layout'
import { getLastAnswer, type Session, type StoryName, writeNotice } from './session'

/** What follows a command: the model answers, the conversation goes on, or it ends. */
export type Next = 'answer' | 'go on' | 'leave'

interface SlashCommand {
  usage: string
  about: string
  run(session: Session, words: string[]): Promise<Next>
}

const commands: Record<string, SlashCommand> = {
  item: {
    usage: '/item <id>',
    about: 'talk about a cached work item',
    run: (session, [name]) => about(session, { kind: 'item', id: toItemName(name) }),
  },
  draft: {
    usage: '/draft <id>',
    about: 'talk about a draft',
    run: (session, [id]) => about(session, { kind: 'draft', id: idOf('draft', id) }),
  },
  prompt: {
    usage: '/prompt [name] [variable=value…]',
    about: 'start over with a prompt template; without a name, list them',
    run: prompt,
  },
  save: {
    usage: `/save [${targets.join('|')}]`,
    about: 'save the last answer in the draft, or in a new one',
    async run(session, [name]) {
      const target = targets.find((known) => known === (name ?? session.prompt?.target))
      if (!target) throw new StudioError('invalid', `Say what to save it as: /save ${targets.join(', /save ')}`)
      await saveAnswer(session, target)
      return 'go on'
    },
  },
  model: {
    usage: '/model <name>',
    about: 'use another model',
    async run(session, [name]) {
      if (name === undefined) throw new StudioError('invalid', 'Name a model. To list them: studio llm models')
      session.model = name
      return 'go on'
    },
  },
  new: {
    usage: '/new',
    about: 'start a new conversation about the same story',
    async run(session) {
      session.turns = []
      session.prompt = null
      return 'go on'
    },
  },
  help: {
    usage: '/help',
    about: 'show this list',
    async run(session) {
      session.invocation.terminal.err(`${slashHelp}\n`)
      return 'go on'
    },
  },
  exit: { usage: '/exit', about: 'exit (also Ctrl-D)', run: async () => 'leave' },
}

const width = Math.max(...Object.values(commands).map(({ usage }) => (usage.length > 40 ? 0 : usage.length)))

/** The commands as help shows them. */
export const slashHelp = Object.values(commands)
  .map(({ usage, about }) =>
    usage.length > width ? `  ${usage}\n  ${' '.repeat(width)}  ${about}` : `  ${usage.padEnd(width)}  ${about}`,
  )
  .join('\n')

/** Runs what was typed after a slash. Throws a StudioError for what it cannot do. */
export async function runSlash(session: Session, line: string): Promise<Next> {
  const [name = '', ...words] = line.slice(1).trim().split(/\s+/)
  const known = name === 'quit' ? 'exit' : name
  const command = Object.hasOwn(commands, known) ? commands[known] : undefined
  if (!command) throw new StudioError('invalid', `There is no /${name}.`, { hint: 'See: /help' })
  return command.run(session, words)
}

async function about(session: Session, story: StoryName): Promise<Next> {
  await openStory(session, story)
  return 'go on'
}

/** Makes a story the subject of the conversation. Throws `not_found` for a story that is not there. */
export async function openStory(session: Session, { kind, id }: StoryName): Promise<void> {
  const [operation, input] =
    kind === 'draft' ? (['drafts.get', { id }] as const) : (['items.get', { id, cached: true }] as const)
  const found = await run(session, operation, input)
  const name = 'reference' in found ? `item ${found.reference}` : `draft ${id}`
  session.story = { kind, id: found.id }
  writeNotice(session, `${printableLine(name)}  ${printableLine(found.title)}`)
}

async function prompt(session: Session, [id, ...pairs]: string[]): Promise<Next> {
  if (id === undefined) {
    for (const known of await run(session, 'prompts.list', {}))
      session.invocation.terminal.err(`  ${known.id.padEnd(22)}${printableLine(known.description)}\n`)
    return 'go on'
  }
  await beginWith(session, id, Object.fromEntries(pairs.map(pairOf)))
  return 'answer'
}

/** Starts a new conversation with a template. */
export async function beginWith(session: Session, id: string, variables: Record<string, string> = {}): Promise<void> {
  const { target } = await run(session, 'prompts.get', { id })
  session.prompt = { id, target, variables }
  session.turns = []
}

function pairOf(text: string): [string, string] {
  const equals = text.indexOf('=')
  if (equals > 0) return [text.slice(0, equals), text.slice(equals + 1)]
  throw new StudioError('invalid', `Specify a variable as name=value, not "${text}".`)
}

/** The reference of a work item, in a form that is no number: `#101`, `ABC-7`. */
export function toItemName(text: string | undefined): string {
  if (text !== undefined && /[#:]|\d$/.test(text)) return text.replace(/^(?=\d+$)/, '#')
  throw new StudioError('invalid', 'Specify an ID: 204, ABC-7 or gh:owner/repository#12.')
}

function idOf(what: string, text: string | undefined): number {
  if (text !== undefined && /^#?[1-9]\d{0,15}$/.test(text)) return Number(text.replace('#', ''))
  throw new StudioError('invalid', `Specify an ID: /${what} <id>`)
}

const blank: DraftTexts = { title: '', description: null, acceptanceCriteria: null }

/** Saves the last answer in the draft of the conversation, or in a new one. */
export async function saveAnswer(session: Session, target: Target): Promise<void> {
  const answer = getLastAnswer(session)
  if (answer === null) throw new StudioError('invalid', 'There is no answer to save yet.')
  const reading = parseMarkdownAnswer(target, answer)
  if ('problems' in reading)
    throw new StudioError('invalid', `The answer cannot be saved as ${target}. ${reading.problems[0]}`)
  const former = session.story?.kind === 'draft' ? await draftOf(session, session.story.id) : null
  const changes = applyRefinement(former ?? blank, target, reading.refinement)
  if (changes.length === 0) return writeNotice(session, 'The draft already contains this text.')
  const texts = Object.fromEntries(changes.map(({ field, after }) => [field, after]))
  const saved = await run(session, 'drafts.save', {
    ...(former ? { id: former.id, updatedAt: former.updatedAt } : { title: await titleFor(session, answer) }),
    ...texts,
  })
  const undo = former ? ` To undo: studio draft undo ${saved.id}` : ''
  writeNotice(session, `Saved in draft ${saved.id}: ${changes.map(({ field }) => field).join(', ')}.${undo}`)
  session.story = { kind: 'draft', id: saved.id }
}

type DraftFacts = DraftTexts & { id: number; updatedAt: string }

function draftOf(session: Session, id: number): Promise<DraftFacts> {
  return run(session, 'drafts.get', { id })
}

/** The title of a new draft: that of the work item, else the first line of the answer. */
async function titleFor(session: Session, answer: string): Promise<string> {
  if (session.story?.kind === 'item')
    return (await run(session, 'items.get', { id: session.story.id, cached: true })).title
  const line = answer.split('\n').find((text) => /\p{L}/u.test(text)) ?? 'Draft'
  return line
    .replace(/[*_`#>|]/g, '')
    .trim()
    .slice(0, 120)
}

async function run<Id extends OperationId>(session: Session, operation: Id, input: unknown): Promise<ResultOf<Id>> {
  return execute(await loadOperation(operation), input, session.context()) as Promise<ResultOf<Id>>
}
