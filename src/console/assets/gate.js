/**
 * The check-in page of drivers. The secret of the link comes after `#` and leaves the address bar at once; it and the secret of the visit stay
 * in this tab. All texts are those of the service.
 */
const form = document.getElementById('check-in')
const state = document.getElementById('state')
const connection = document.getElementById('connection')
const again = document.getElementById('again')

const RETRY_SECONDS = 5
/** How long a page that drivers share shows the answer to one of them. */
const KIOSK_SECONDS = 20

let isKiosk = false
let timer = null

if (location.hash.startsWith('#studio_gat_')) {
  sessionStorage.setItem('gate-link', location.hash.slice(1))
  sessionStorage.removeItem('gate-visit')
  history.replaceState(null, '', location.pathname + location.search)
}

form.addEventListener('submit', async (event) => {
  event.preventDefault()
  const button = form.querySelector('button')
  button.disabled = true
  connection.textContent = document.body.dataset.sending
  const { answer, isRefused } = await send('/gate/check-in', {
    link: sessionStorage.getItem('gate-link'),
    number: form.elements.namedItem('number').value,
  })
  button.disabled = false
  connection.textContent = ''
  if (isRefused || !answer) {
    show(answer?.html)
    form.elements.namedItem('number').select()
    if (isKiosk) after(KIOSK_SECONDS, startAgain)
  } else {
    if (answer.visit) sessionStorage.setItem('gate-visit', answer.visit)
    showVisit(answer)
  }
})

again.addEventListener('click', startAgain)

/** A page that is hidden does not ask; it does at once when it is seen again. */
document.addEventListener('visibilitychange', () => {
  if (!document.hidden && timer !== null && sessionStorage.getItem('gate-visit')) follow()
})

async function open() {
  const { answer, isRefused } = await send('/gate/link', { link: sessionStorage.getItem('gate-link') ?? '' })
  if (isRefused) return show(answer.html ?? html('ended'))
  if (!answer) return retry(open)
  connection.textContent = ''
  document.getElementById('facility').textContent = answer.facility
  isKiosk = answer.isKiosk
  if (sessionStorage.getItem('gate-visit')) follow()
  else startAgain()
}

/** Asks for the visit until it has ended. */
async function follow() {
  clearTimeout(timer)
  timer = null
  const { answer, isRefused } = await send('/gate/visit', { visit: sessionStorage.getItem('gate-visit') })
  if (isRefused) {
    sessionStorage.removeItem('gate-visit')
    show(answer.html)
    again.hidden = false
  } else if (!answer) retry(follow)
  else {
    connection.textContent = ''
    showVisit(answer)
  }
}

function showVisit({ html: content, askAgain }) {
  form.hidden = true
  show(content)
  again.hidden = !isKiosk && askAgain !== null
  if (isKiosk) after(KIOSK_SECONDS, startAgain)
  else if (askAgain === null) sessionStorage.removeItem('gate-visit')
  else after(askAgain, () => !document.hidden && follow())
}

function startAgain() {
  clearTimeout(timer)
  timer = null
  sessionStorage.removeItem('gate-visit')
  // The next driver may have another language.
  if (isKiosk && location.search !== '' && state.textContent !== '') return location.assign('/gate')
  show('')
  again.hidden = true
  form.reset()
  form.hidden = false
  form.elements.namedItem('number').focus()
}

/** Screen readers read what has changed only. The service has escaped all texts in it. */
function show(content = html('failed')) {
  if (state.innerHTML !== content) state.innerHTML = content
}

const html = (id) => document.getElementById(id).innerHTML

function retry(what) {
  connection.textContent = document.body.dataset.offline
  after(RETRY_SECONDS, what)
}

function after(seconds, what) {
  clearTimeout(timer)
  timer = setTimeout(what, seconds * 1000)
}

/**
 * `answer` is null where the page must ask again: the service cannot be reached, has an error, or got too many requests from the address. Only a
 * number that was typed is refused for that. A refusal has a text for the driver.
 */
async function send(path, fields) {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...fields, lang: document.documentElement.lang }),
    })
    const answer = await response.json()
    if (response.ok) return { answer, isRefused: false }
    const mustAskAgain = answer.code === 'limited' && path !== '/gate/check-in'
    return answer.html && !mustAskAgain ? { answer, isRefused: true } : { answer: null, isRefused: false }
  } catch {
    return { answer: null, isRefused: false }
  }
}

open()
