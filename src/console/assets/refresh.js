import { say } from './say.js'

/**
 * A page that says how often it changes (`data-refresh`, in seconds) is read again by itself, but not while somebody works in it. A board is
 * live, so it is left alone.
 */
const seconds = Number(document.body.dataset.refresh)
const main = document.getElementById('main')
const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })
let readAt = Date.now()
let isAway = false

if (seconds > 0 && !document.querySelector('[data-live]')) {
  setInterval(refresh, seconds * 1000)
  document.addEventListener('visibilitychange', () => Date.now() - readAt > seconds * 1000 && refresh())
}

const isInUse = () =>
  document.hidden || document.querySelector('dialog[open], main details[open], main form:focus-within') !== null

async function refresh() {
  if (isInUse()) return
  const address = new URL(location.href)
  // What was done is not said again.
  address.searchParams.delete('done')
  const answer = await fetch(address).catch(() => null)
  if (answer?.status === 401 || answer?.status === 403) return location.reload()
  if (!answer?.ok) {
    if (!isAway) say(`The service cannot be reached. This page shows what was known at ${clock.format(readAt)}.`)
    isAway = true
    return
  }
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  if (isInUse()) return
  const focused = document.activeElement?.getAttribute('href')
  main.replaceChildren(...page.getElementById('main').childNodes)
  if (focused) [...main.querySelectorAll('a')].find((link) => link.getAttribute('href') === focused)?.focus()
  if (isAway) say('The service is back.')
  isAway = false
  readAt = Date.now()
}
