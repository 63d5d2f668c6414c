import type { ResultOf } from '../../catalog'
import type { Fields } from '../forms/form'
import { hiddenFields } from '../forms/hidden-fields'
import { operationForm } from '../forms/operation-form'
import { type Html, html, table } from '../html'
import { itemName, itemPath } from '../pages/item-path'
import { compareTexts } from './compare-texts'
import { mergeInputs, valueChoices } from './merge-inputs'
import { resolutionNames } from './resolutions'

type Publication = ResultOf<'items.publish-draft'>
type Conflict = Publication['conflicts'][number]

/** What publishing a draft would send, with the form that sends exactly that; or first its conflicts with the tracker. */
export function renderPublicationPlan(plan: Publication, fields: Fields): Html {
  const { conflicts, notes } = plan
  return html`<section class="card wide" aria-label="Plan"><h2>${describe(plan)}</h2>
${notes.length === 0 ? '' : html`<ul>${notes.map((note) => html`<li>${note}</li>`)}</ul>`}
${conflicts.length > 0 ? conflictsForm(conflicts, fields) : html`${changesTable(plan)}${sendForm(plan, fields)}`}</section>`
}

function describe({
  action,
  type,
  reference,
  itemId,
  parentReference,
  parentId,
  changes,
  conflicts,
}: Publication): Html {
  if (conflicts.length > 0) return html`The tracker has other changes of the same`
  if (action === 'create')
    return html`A new ${type}${parentReference === null ? '' : html` below <a href="${itemPath(parentId!)}">${itemName({ reference: parentReference })}</a>`}`
  const item = html`<a href="${itemPath(itemId!)}">${itemName({ reference: reference! })}</a>`
  return changes.length === 0 ? html`${item} has everything already` : html`Changes of ${item}`
}

function changesTable({ changes, action }: Publication): Html | '' {
  if (changes.length === 0) return ''
  return table(
    'What is sent',
    ['Field', action === 'create' ? 'Value' : 'Change'],
    changes.map(
      ({ field, from, to }) =>
        html`<tr><th scope="row">${field}</th><td><div class="diff">${compareTexts(toText(from), toText(to))}</div></td></tr>`,
    ),
  )
}

function sendForm({ action, changes }: Publication, fields: Fields): Promise<Html> | '' {
  if (action === 'update' && changes.length === 0) return ''
  const word = action === 'create' ? 'Create the item' : 'Send these changes'
  return operationForm('items.publish-draft', { hidden: { ...fields, dryRun: undefined }, word })
}

const WORDS = {
  yours: 'What the draft has changed',
  theirs: 'What the tracker has changed',
  keepTheirs: 'Keep that of the tracker',
}

/** The next plan is that of the choices. */
function conflictsForm(conflicts: readonly Conflict[], fields: Fields): Promise<Html> {
  const { planId: _, ...sent } = fields
  return operationForm('items.publish-draft', {
    head: html`<p>Nothing is sent yet. Choose for each field, then look at the plan again.</p>${conflicts.map(conflictFieldset)}`,
    hidden: { ...sent, dryRun: true },
    word: 'Show the plan',
  })
}

function conflictFieldset({
  property,
  field,
  base,
  draft,
  tracker,
  merged,
  withDraft,
  withTracker,
  undecided,
}: Conflict): Html {
  const { choice, result, yours, theirs } = resolutionNames(property)
  const values = hiddenFields({ [yours]: JSON.stringify(withDraft), [theirs]: JSON.stringify(withTracker) })
  const inputs =
    merged === null && undecided.length === 0
      ? valueChoices(choice, { yours: toText(draft), theirs: toText(tracker) })
      : mergeInputs({
          names: { choice, result },
          label: field,
          was: toText(base),
          yours: toText(draft),
          theirs: toText(tracker),
          result: toText(withDraft),
          isClean: false,
          words: WORDS,
        })
  return html`<fieldset class="conflict"><legend>${field}</legend>${values}
${undecided.length === 0 ? '' : html`<p>These parts of the draft meet what was removed from it, so that their place in the item is not known:</p><ul>${undecided.map((part) => html`<li class="text">${part}</li>`)}</ul>`}
${inputs}</fieldset>`
}

function toText(value: string | number | boolean | null): string {
  return value === null ? '' : String(value)
}
