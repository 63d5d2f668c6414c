import { type Html, html } from '../html'
import { compareTexts } from './compare-texts'

/** Two texts that were made from one, and what to save of them. */
export interface Merge {
  /** Of the choice between the texts, and of the result. */
  names: { choice: string; result: string }
  label: string
  was: string
  yours: string
  theirs: string
  /** What is proposed. */
  result: string
  /** Whether both changes fit together. */
  isClean: boolean
  words: { yours: string; theirs: string; keepTheirs: string }
}

const [MIN_ROWS, MAX_ROWS] = [4, 20]

/** What each has changed, the result of both, which can be edited, and the choice between the three. */
export function mergeInputs({ names, label, was, yours, theirs, result, isClean, words }: Merge): Html {
  const version = (title: string, text: string) =>
    html`<section><h3>${title}</h3><div class="diff scroll" tabindex="0">${compareTexts(was, text)}</div></section>`
  const rows = Math.min(MAX_ROWS, Math.max(MIN_ROWS, result.split('\n').length + 1))
  return html`<div class="columns">${version(words.yours, yours)}${version(words.theirs, theirs)}</div>
<p>${isClean ? 'Both changes fit together.' : 'Both have changed the same lines. The result has yours there: edit it, or choose one of the two texts.'}</p>
<label>${label}: the result <textarea name="${names.result}" rows="${rows}">\n${result}</textarea></label>
${radio(names.choice, 'result', html`Save the result`, isClean)}
${radio(names.choice, 'yours', html`Save yours`)}
${radio(names.choice, 'theirs', html`${words.keepTheirs}`)}`
}

/** Where nothing is chosen before, the browser asks for a choice. */
function radio(name: string, choice: 'yours' | 'theirs' | 'result', text: Html, isChecked = false): Html {
  return html`<label class="choice"><input type="radio" name="${name}" value="${choice}" required${isChecked ? html` checked` : ''}> ${text}</label>`
}

/** The choice between two values that cannot be merged. */
export function valueChoices(name: string, { yours, theirs }: { yours: string; theirs: string }): Html {
  const show = (text: string) => (text === '' ? html`<em>empty</em>` : html`<span class="text">${text}</span>`)
  return html`${radio(name, 'yours', html`Yours: ${show(yours)}`)}
${radio(name, 'theirs', html`Theirs: ${show(theirs)}`)}`
}
