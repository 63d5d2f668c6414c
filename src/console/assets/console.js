import { toError } from './service-error.js'
import './times.js'

/** Sends the forms of the console as JSON, opens pages in dialogs, and shows what became of them. Pages can be read without it. */

document.addEventListener('submit', (event) => {
  const form = event.target
  if (form.method !== 'post') return
  event.preventDefault()
  if (form.dataset.confirm && !confirm(form.dataset.confirm)) return
  send(form, event.submitter)
})

async function send(form, button) {
  showError(form, null)
  if (button) button.disabled = true
  try {
    const action = button?.hasAttribute('formaction') ? button.formAction : form.action
    const answer = await submit(form, { action, fields: await fieldsOf(form, button) })
    if (answer === null) return
    if (answer.values && form.dataset.autosave !== undefined) applyRefresh(form, answer)
    else if (answer.html) replaceWith(form, answer.html)
    else if (answer.message && form.closest('dialog[data-live]')) {
      form.closest('dialog').close()
      say(answer.message)
    } else if (answer.location) {
      delete form.dataset.unsaved
      goTo(answer.location)
    }
  } catch (error) {
    showError(form, error)
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

/** A form that is saved while it is written stays, with the version that the next save is based on. */
function applyRefresh(form, { message, values, parts }) {
  delete form.dataset.unsaved
  for (const [name, value] of Object.entries(values)) form.elements.namedItem(name).value = value
  for (const [id, html] of Object.entries(parts)) replacePart(id, html)
  const place = form.querySelector('output')
  if (place) place.textContent = message
}

/** The service has escaped all texts in it. */
export function replacePart(id, html) {
  const template = document.createElement('template')
  template.innerHTML = html
  document.getElementById(id)?.replaceWith(template.content)
}

/** Loads the page also where the address differs in its fragment alone. */
function goTo(address) {
  const { pathname, search } = new URL(address, location.href)
  const isHere = pathname === location.pathname && search === location.search
  location.assign(address)
  if (isHere) location.reload()
}

/** Sends fields to the service. Throws its error, with `details` by field. */
export async function post(action, fields) {
  const response = await fetch(action, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Acting-Member': document.body.dataset.actingMember ?? '' },
    body: JSON.stringify(fields),
  })
  const answer = await response.json()
  if (response.ok) return answer
  throw toError(answer)
}

/** A name that occurs several times is a list. A file is sent in Base64, with its name as another field. */
async function fieldsOf(form, button) {
  const data = new FormData(form, button)
  const fields = {}
  for (const name of new Set(data.keys())) {
    const values = data.getAll(name)
    fields[name] = values.length === 1 ? values[0] : values
    if (!(values[0] instanceof File)) continue
    if (values[0].size > form.elements.namedItem(name).dataset.max) throw new Error('The file is too large.')
    fields[name] = await toBase64(values[0])
    fields.name = values[0].name
  }
  return fields
}

function toBase64(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(',') + 1))
    reader.onerror = () => reject(new Error('The file cannot be read.'))
    reader.readAsDataURL(file)
  })
}

function showError(form, error) {
  for (const field of form.elements) field.removeAttribute('aria-invalid')
  const refused = (error?.details ?? []).flatMap(({ path }) => {
    const field = form.elements.namedItem(path) ?? form.elements.namedItem(path.split('.')[0])
    return field?.setAttribute ? [{ path, field }] : []
  })
  for (const { field } of refused) field.setAttribute('aria-invalid', 'true')
  // People know a field by its label.
  let message = error?.message ?? ''
  for (const { path, field } of refused) {
    const label = field.labels?.[0]?.firstChild.textContent.trim()
    if (label) message = message.replace(`${path}:`, `${label}:`)
  }
  const place = form.querySelector('.error')
  if (place) place.textContent = message
  else if (error) say(message)
  if (form.dataset.autosave === undefined) refused[0]?.field.focus()
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

/** Shows a message for a while; screen readers read it. */
export function say(text) {
  const line = document.createElement('p')
  line.textContent = text
  document.getElementById('status').append(line)
  setTimeout(() => line.remove(), 8000)
}

/** A link with `data-dialog` opens its page in a dialog. */
document.addEventListener('click', (event) => {
  const link = event.target.closest?.('a[data-dialog]')
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
  event.preventDefault()
  openDialog(link.getAttribute('href'))
})

export async function openDialog(address) {
  const response = await fetch(address).catch(() => null)
  if (response === null) return say('The service cannot be reached. Try again.')
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const dialog = document.createElement('dialog')
  dialog.dataset.live = ''
  const close = document.createElement('button')
  close.type = 'button'
  close.className = 'close quiet'
  close.textContent = 'Close'
  close.addEventListener('click', () => dialog.close())
  dialog.append(close, ...page.querySelector('main').childNodes)
  const title = dialog.querySelector('h1')
  if (title) {
    title.id = 'dialog-title'
    // Screen readers begin there, and the next key leads to the first field.
    title.tabIndex = -1
    title.autofocus = true
    dialog.setAttribute('aria-labelledby', 'dialog-title')
  }
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
}

document.addEventListener('click', (event) => event.target.closest?.('button[data-print]') && print())

/** The browser asks before it leaves a page with changes that are not saved. */
window.addEventListener('beforeunload', (event) => {
  if (document.querySelector('form[data-unsaved]')) event.preventDefault()
})

/** `/` goes to the search box of a page. */
document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest?.('input, textarea, select, dialog')
  const box = document.querySelector('input[type=search]')
  if (event.key !== '/' || isTyping || !box) return
  event.preventDefault()
  box.focus()
})

/** A form with `data-auto` is sent when a choice in it changes. */
document.addEventListener(
  'change',
  (event) => event.target.form?.dataset.auto !== undefined && event.target.form.requestSubmit(),
)

/** A link has its secret after `#`. It leaves the address bar before it is used. A form with `data-manual` waits for its button. */
const linked = document.querySelector('form[data-fragment]')
if (linked && location.hash.startsWith('#studio_')) {
  linked.elements.namedItem(linked.dataset.fragment).value = location.hash.slice(1)
  history.replaceState(null, '', location.pathname)
  if (linked.dataset.manual === undefined) linked.requestSubmit()
}

/** The text of a chosen file goes into the field that `data-into` names. */
document.addEventListener('change', async ({ target }) => {
  if (target.dataset.into && target.files[0])
    target.form.elements.namedItem(target.dataset.into).value = await target.files[0].text()
})

/** What was expanded stays so: `data-keep` is its name. */
for (const details of document.querySelectorAll('details[data-keep]')) {
  const known = localStorage.getItem(details.dataset.keep)
  if (known !== null) details.open = known === 'open'
  details.addEventListener('toggle', () => localStorage.setItem(details.dataset.keep, details.open ? 'open' : 'closed'))
}

/** A form with `data-autosave` is saved when its writer pauses. One save ends before the next begins, which is based on it. */
for (const form of document.querySelectorAll('form[data-autosave]')) {
  let timer = null
  let saving = null
  const save = async () => {
    timer = null
    await saving
    if (form.reportValidity()) saving = send(form, null)
    await saving
    if (timer !== null) form.dataset.unsaved = ''
  }
  form.addEventListener('input', () => {
    form.dataset.unsaved = ''
    form.querySelector('output').textContent = 'Not saved yet'
    clearTimeout(timer)
    timer = setTimeout(save, 1200)
  })
  form.addEventListener('submit', () => clearTimeout(timer))
}
