import { showError } from './form-errors.js'
import { fieldsOf, post } from './requests.js'
import { say } from './say.js'

/** Sends the forms of a page as JSON, and shows what became of them. */

/** A second click is not a second form, also while a file is read. */
const sending = new WeakSet()

document.addEventListener('submit', async (event) => {
  const form = event.target
  if (form.method !== 'post') return
  event.preventDefault()
  if (sending.has(form)) return
  if (form.dataset.confirm && !confirm(form.dataset.confirm)) return
  sending.add(form)
  await send(form, event.submitter)
  sending.delete(form)
})

/** Sends a form; `button` is null if its script does. The form gets an event `sent` or `unsent`. */
export async function send(form, button) {
  try {
    const action = button?.hasAttribute('formaction') ? button.formAction : form.action
    // Before the button is disabled, or is removed with the error that offered it: it has a value of its own.
    const fields = await fieldsOf(form, button)
    if (button) button.disabled = true
    showError(form, null)
    const answer = await submit(form, { action, fields })
    if (answer === null) return
    form.dispatchEvent(new CustomEvent('sent', { bubbles: true, detail: { answer, fields } }))
    showAnswer(form, answer)
  } catch (error) {
    const isByHand = button !== null || form.dataset.autosave === undefined
    if (error.html && isByHand) {
      delete form.dataset.unsaved
      replaceWith(form, error.html)
    } else showError(form, error)
    form.dispatchEvent(new CustomEvent('unsent', { detail: error }))
  } finally {
    if (button) button.disabled = false
  }
}

/** A form with `data-stream` shows its answer while it is written, in the element after it. Null if its reader stops it. */
async function submit(form, { action, fields }) {
  if (form.dataset.stream === undefined) return post(action, fields)
  const { sendStreamed } = await import('./stream.js')
  return sendStreamed(action, fields, form.nextElementSibling)
}

/** A form that is saved while it is written has shown the answer itself. */
function showAnswer(form, answer) {
  if (answer.values && form.dataset.autosave !== undefined) return
  if (answer.html) replaceWith(form, answer.html)
  else if (answer.message && form.closest('dialog[data-live]')) {
    form.closest('dialog').close()
    say(answer.message)
  } else if (answer.location) {
    delete form.dataset.unsaved
    goTo(answer.location)
  }
}

/** The service has escaped all texts in it. */
export function replacePart(id, html) {
  const template = document.createElement('template')
  template.innerHTML = html
  document.getElementById(id)?.replaceWith(template.content)
}

/** The answer takes the place of its form, or the one after it. The service has escaped all texts in it. */
function replaceWith(form, html) {
  const template = document.createElement('template')
  template.innerHTML = html
  const first = template.content.firstElementChild
  const place = form.nextElementSibling
  if (place?.matches('.answer')) place.replaceChildren(template.content)
  else form.replaceWith(template.content)
  first.tabIndex = -1
  first.focus()
}

/** Loads the page also where the address differs in its fragment alone. */
function goTo(address) {
  const { pathname, search } = new URL(address, location.href)
  const isHere = pathname === location.pathname && search === location.search
  location.assign(address)
  if (isHere) location.reload()
}

/** A form with `data-auto` is sent when a choice in it changes. */
document.addEventListener(
  'change',
  (event) => event.target.form?.dataset.auto !== undefined && event.target.form.requestSubmit(),
)

/** The text of a chosen file goes into the field that `data-into` names. */
document.addEventListener('change', async ({ target }) => {
  if (target.dataset.into && target.files[0])
    target.form.elements.namedItem(target.dataset.into).value = await target.files[0].text()
})
