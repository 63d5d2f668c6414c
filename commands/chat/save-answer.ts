import { applyRefinement, type DraftTexts, parseMarkdownAnswer, type Target } from '../../src/assistant'
import { loadOperation } from '../../src/catalog'
import { execute, StudioError } from '../../src/kernel'
import { getLastAnswer, type Session, writeNotice } from './session'

const blank: DraftTexts = { title: '', description: null, acceptanceCriteria: null }

/** Puts the last answer into the draft of the conversation, or into a new one where there is none. */
export async function saveAnswer(session: Session, target: Target): Promise<void> {
  const answer = getLastAnswer(session)
  if (answer === null) throw new StudioError('invalid', 'There is no answer to save yet.')
  const reading = parseMarkdownAnswer(target, answer)
  if ('problems' in reading)
    throw new StudioError('invalid', `The answer cannot be saved as ${target}. ${reading.problems[0]}`)
  const former = session.story?.kind === 'draft' ? await draftOf(session, session.story.id) : null
  const changes = applyRefinement(former ?? blank, target, reading.refinement)
  if (changes.length === 0) return writeNotice(session, 'The draft says so already.')
  const texts = Object.fromEntries(changes.map(({ field, after }) => [field, after]))
  const saved = await run(session, 'drafts.save', {
    ...(former ? { id: former.id, updatedAt: former.updatedAt } : { title: await titleFor(session, answer) }),
    ...texts,
  })
  const undo = former ? ` Take it back: studio draft undo ${saved.id}` : ''
  writeNotice(session, `Saved in draft ${saved.id}: ${changes.map(({ field }) => field).join(', ')}.${undo}`)
  session.story = { kind: 'draft', id: saved.id }
}

type DraftFacts = DraftTexts & { id: number; updatedAt: string }

function draftOf(session: Session, id: number): Promise<DraftFacts> {
  return run(session, 'drafts.get', { id })
}

/** A new draft is called as the work item is that it is about, else as its text begins. */
async function titleFor(session: Session, answer: string): Promise<string> {
  if (session.story?.kind === 'item')
    return (await run(session, 'items.get', { id: session.story.id, cached: true })).title
  const line = answer.split('\n').find((text) => /\p{L}/u.test(text)) ?? 'Draft'
  return line
    .replace(/[*_`#>|]/g, '')
    .trim()
    .slice(0, 120)
}

async function run(session: Session, operation: string, input: unknown): Promise<any> {
  return execute(await loadOperation(operation), input, session.context())
}
