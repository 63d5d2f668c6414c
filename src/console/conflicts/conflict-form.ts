import { type AnyOperation, describeField, fieldAt } from '../../kernel'
import { letOthersRun } from '../../kernel/work/budget'
import type { Fields } from '../forms/form'
import { hiddenFields } from '../forms/hidden-fields'
import { pathOf } from '../forms/shown-text'
import { type Html, html } from '../html'
import { mergeInputs, valueChoices } from './merge-inputs'
import type { Basis, FieldConflict, OwnChanges } from './own-changes'

export interface ConflictFormOptions {
  root: '/console' | '/portal'
  /** The page that the form leads to, which shows the values now. */
  next: string
  changes: OwnChanges
  basis: Basis
}

/** More than any form has long texts. Only a choice between the two is offered for the rest, because merging takes time. */
const MAX_MERGED = 5

/**
 * Both values of each field that somebody else has changed too, and the form that saves the choice. It is based on the values now, so that
 * the next save meets a conflict only if there is another change.
 */
export async function conflictForm(op: AnyOperation, options: ConflictFormOptions): Promise<Html> {
  const { root, next, changes, basis } = options
  const drawn: Html[] = []
  let merged = 0
  for (const conflict of changes.conflicts) {
    await letOthersRun()
    const isMerged = isLong(conflict, basis) && merged < MAX_MERGED
    if (isMerged) merged += 1
    drawn.push(await fieldset(op, conflict, basis, isMerged))
  }
  return html`<form class="card wide" method="post" action="${root}/run/${op.id}">
<h2>Somebody else has changed the same</h2>
<p>Nothing of yours is saved yet. Choose for each field, then save.</p>
${hiddenFields({ ...keptFields(options), next })}
${drawn}
<p class="error" role="alert"></p>
<div class="bar"><button type="submit">Save</button> <a class="button quiet" href="${next}" data-discard>Discard my changes</a></div></form>`
}

/** What the form says besides the fields in conflict: which thing it changes, and what its user has changed there alone. */
function keptFields({ changes: { own, other, conflicts, drawn }, basis }: ConflictFormOptions): Fields {
  const isOpen = (name: string) => conflicts.some((conflict) => conflict.name === name)
  const settled = Object.fromEntries(Object.entries(own).filter(([name]) => !isOpen(name)))
  if (drawn === null) return { ...other, ...basis.version, ...settled }
  // The form was drawn with the values of others where they are the ones that count.
  const based = conflicts.map(({ name, theirs }): [string, string] => [name, theirs])
  const all = Object.entries({ ...drawn, ...Object.fromEntries(based) })
  return {
    ...other,
    ...Object.fromEntries(all.map(([name, text]) => [`drawn.${name}`, text])),
    ...Object.fromEntries(Object.entries(drawn).filter(([name]) => !isOpen(name))),
    ...settled,
  }
}

function isLong({ name, was, yours, theirs }: FieldConflict, { longTexts = [] }: Basis): boolean {
  return longTexts.includes(name) || [was, yours, theirs].some((text) => text.includes('\n') || text.length > 80)
}

async function fieldset(op: AnyOperation, conflict: FieldConflict, basis: Basis, isMerged: boolean): Promise<Html> {
  const { name, yours, theirs } = conflict
  const path = pathOf(name)
  const field = fieldAt(op.input, path)
  const label = field ? describeField(op, field, path).label : name
  const texts = new Map(
    Object.entries(basis.texts ?? {}).flatMap(([known, words]) => (known === name ? Object.entries(words) : [])),
  )
  const choices = isMerged
    ? await mergeChoices(conflict, label)
    : html`${hiddenFields({ [name]: yours })}${valueChoices(`choice.${name}`, { yours: texts.get(yours) ?? yours, theirs: texts.get(theirs) ?? theirs })}`
  return html`<fieldset class="conflict"><legend>${label}</legend>${choices}</fieldset>`
}

const WORDS = {
  yours: 'What you have changed',
  theirs: 'What somebody else has changed',
  keepTheirs: 'Keep theirs',
}

async function mergeChoices({ name, was, yours, theirs }: FieldConflict, label: string): Promise<Html> {
  const { mergeTexts } = await import('../../drafts')
  const sides = { ours: 'yours', theirs: 'theirs' }
  const versions = { base: was, ours: yours, theirs }
  const isClean = !mergeTexts(versions, { prefer: null, names: sides }).hasConflict
  await letOthersRun()
  const { text: result } = mergeTexts(versions, { prefer: 'ours', names: sides })
  await letOthersRun()
  const names = { choice: `choice.${name}`, result: name }
  return html`${hiddenFields({ [`yours.${name}`]: yours })}
${mergeInputs({ names, label, was, yours, theirs, result, isClean, words: WORDS })}`
}
