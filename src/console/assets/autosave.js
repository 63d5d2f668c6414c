import { replacePart, send } from './forms.js'
import { forgetTexts, keepTexts, restoreTexts } from './unsaved-texts.js'

/** A form with `data-autosave` is saved when its writer pauses. One save ends before the next begins, which is based on it. */

const PAUSE_MS = 1200
const [FIRST_RETRY_MS, LAST_RETRY_MS] = [1000, 60_000]
const AWAY = 'Not saved: the service cannot be reached. Your text is kept in this page and saved when it is back.'

class Autosave {
  #form
  #timer = null
  #saving = null
  #retryMs = FIRST_RETRY_MS
  /** Why nothing is saved by itself any more, until the writer presses the button. */
  #isStopped = false

  constructor(form) {
    this.#form = form
    form.addEventListener('input', () => this.#changed())
    form.addEventListener('submit', () => clearTimeout(this.#timer))
    form.addEventListener('sent', ({ detail }) => this.#sent(detail))
    form.addEventListener('unsent', ({ detail }) => this.#unsent(detail))
    window.addEventListener('online', () => this.#saveNow())
    document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && this.#saveNow())
    if (!restoreTexts(form)) return
    form.dataset.unsaved = ''
    this.#say('Your text from before is back. It is not saved yet.')
    this.#schedule(0)
  }

  #changed() {
    this.#form.dataset.unsaved = ''
    keepTexts(this.#form)
    if (this.#isStopped) return
    this.#say('Not saved yet')
    this.#schedule(PAUSE_MS)
  }

  #schedule(ms) {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#save(), ms)
  }

  #saveNow() {
    if (this.#form.dataset.unsaved !== undefined && !this.#isStopped && this.#saving === null) this.#schedule(0)
  }

  async #save() {
    this.#timer = null
    await this.#saving
    if (!this.#form.isConnected) return
    if (!this.#form.checkValidity()) return this.#say('Not saved yet: a field is missing or not valid.')
    this.#saving = send(this.#form, null)
    await this.#saving
    this.#saving = null
  }

  #sent({ answer, fields }) {
    this.#retryMs = FIRST_RETRY_MS
    this.#isStopped = false
    if (!answer.values) return
    const isCurrent = takeValues(this.#form, answer.values, fields)
    for (const [id, html] of Object.entries(answer.parts)) replacePart(id, html)
    if (isCurrent) {
      delete this.#form.dataset.unsaved
      forgetTexts(this.#form)
      this.#say(answer.message)
    } else {
      keepTexts(this.#form)
      this.#say('Not saved yet')
      if (this.#timer === null) this.#schedule(PAUSE_MS)
    }
  }

  /** A service that is away may be back soon; anything else is for the writer. */
  #unsent(error) {
    keepTexts(this.#form)
    if (error.isAway) {
      this.#say(AWAY)
      this.#form.querySelector('.error').replaceChildren()
      this.#schedule(this.#retryMs)
      this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS)
      return
    }
    this.#isStopped = error.html !== undefined
    this.#say('Not saved')
  }

  #say(text) {
    this.#form.querySelector('output').textContent = text
  }
}

/**
 * Puts values of the service into the fields that were not touched since they were sent. False if one was: then the next save is based on the
 * version before, so that it is compared with what somebody else has changed.
 */
function takeValues(form, { updatedAt, ...values }, sent) {
  const lines = (text) => String(text ?? '').replaceAll('\r\n', '\n')
  let isCurrent = true
  let isComplete = true
  for (const [name, field] of [...form.elements].map((element) => [element.name, element])) {
    if (!(name in sent) || field.type === 'hidden') continue
    const isTouched = lines(field.value) !== lines(sent[name])
    if (isTouched) isCurrent = false
    if (!(name in values) || lines(values[name]) === lines(sent[name])) continue
    if (isTouched) isComplete = false
    else field.value = values[name]
  }
  if (isComplete && updatedAt !== undefined) form.elements.namedItem('updatedAt').value = updatedAt
  return isCurrent
}

for (const form of document.querySelectorAll('form[data-autosave]')) new Autosave(form)

/** The browser asks before it leaves a page with changes that are not saved. */
window.addEventListener('beforeunload', (event) => {
  if (document.querySelector('form[data-unsaved]')) event.preventDefault()
})
