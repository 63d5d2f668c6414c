import { replacePart } from '../console.js'
import { readEvents } from '../stream.js'

/**
 * Keeps the board up to date, and says so where it is not: a board that is not live must not look alive. The service says something at least
 * every ten seconds.
 */
const SILENT_MS = 25_000
const FIRST_RETRY_MS = 1000
const LONGEST_RETRY_MS = 30_000
const SETTLE_MS = 10_000
const PRESS_MS = 1000

const board = document.getElementById('board')
const mark = document.getElementById('live')
const band = document.getElementById('dead')
const [since, about] = [band.querySelector('strong'), band.querySelector('span')]
const [tryNow, signIn] = [band.querySelector('button'), band.querySelector('a')]
const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone: board.dataset.zone })

let { version } = board.dataset
let heardAt = Date.now()
let state = 'connecting'
/** Until the board is live again: a retry does not remove the link that someone may be about to press. */
let isSignedOut = false
let failures = 0
let retryAt = 0
let connection = null

async function connect() {
  if (state !== 'live') state = 'connecting'
  connection = new AbortController()
  const { signal } = connection
  let isEnded = false
  try {
    const response = await fetch(`${board.dataset.live}&version=${version}`, { signal, cache: 'no-store' })
    isEnded = response.status === 401 || response.status === 403
    if (response.ok)
      for await (const { event, data } of readEvents(response.body)) {
        isEnded = event === 'ended'
        if (isEnded) break
        hear(event, data)
      }
  } catch {
    // It is tried again, whatever the reason was.
  }
  lose(isEnded)
}

function hear(event, data) {
  heardAt = Date.now()
  failures = 0
  state = 'live'
  isSignedOut = false
  if (event === 'hello' && data.assets !== board.dataset.assets) return loadAgain()
  if (event === 'parts') show(data)
  draw()
}

/** A retry waits longer each time, and not as long as those of other boards, which would come back together. */
function lose(isEnded) {
  state = isEnded ? 'ended' : 'lost'
  isSignedOut ||= isEnded
  const wait = isEnded ? LONGEST_RETRY_MS : Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures)
  failures += 1
  retryAt = Date.now() + wait * (0.5 + Math.random() / 2)
  draw()
}

/**
 * A press on what is replaced before its release opens nothing, so an update waits for the release. Browsers do not report every release, so it
 * waits no longer than a press takes.
 */
let press = null
const waiting = []
addEventListener('pointerdown', ({ pointerId }) => {
  clearTimeout(press?.limit)
  press = { pointerId, limit: setTimeout(endPress, PRESS_MS) }
})
for (const type of ['pointerup', 'pointercancel'])
  addEventListener(type, ({ pointerId }) => {
    const ended = press
    // The click comes after the release.
    if (ended?.pointerId === pointerId) setTimeout(() => press === ended && endPress())
  })

function endPress() {
  clearTimeout(press.limit)
  press = null
  for (const update of waiting.splice(0)) show(update)
}

let isOtherShape = false

function show(update) {
  if (press) return waiting.push(update)
  const { shape, parts, ...shown } = update
  // The updates after one that was not shown have only what differs from it.
  isOtherShape ||= shape !== board.dataset.shape
  if (isOtherShape) return loadAgain()
  version = shown.version
  const focused = document.activeElement?.id
  for (const [id, html] of Object.entries(parts)) replacePart(id, html)
  if (focused && document.activeElement === document.body) document.getElementById(focused)?.focus()
  document.dispatchEvent(new Event('board-change'))
}

/** Not at once after the page was loaded: services of a cluster may differ for a while. */
let isReloading = false
function loadAgain() {
  if (isReloading) return
  isReloading = true
  setTimeout(reload, Math.max(0, SETTLE_MS - performance.now()))
}

/** A dialog that is being filled in is not taken away. */
function reload() {
  const dialog = document.querySelector('dialog')
  if (dialog) dialog.addEventListener('close', () => location.reload())
  else location.reload()
}

function draw() {
  const isLive = state === 'live'
  const at = clock.format(heardAt)
  mark.textContent = isLive ? `live · ${at}` : 'not live'
  mark.className = `badge ${isLive ? 'good' : 'bad'}`
  // The first answer takes a moment.
  const isDead = !isLive && (failures > 0 || Date.now() - heardAt > SILENT_MS)
  band.hidden = !isDead
  document.body.classList.toggle('not-live', isDead)
  if (!isDead) return
  const said = `Not live since ${at}`
  if (since.textContent !== said) since.textContent = said
  const seconds = Math.max(0, Math.ceil((retryAt - Date.now()) / 1000))
  const next = state === 'connecting' || seconds === 0 ? 'Trying again now.' : `Trying again in ${seconds} s.`
  about.textContent = `${describeAge(Date.now() - heardAt)} old. ${isSignedOut ? 'This browser is signed out.' : next}`
  signIn.hidden = !isSignedOut
}

function describeAge(ms) {
  const [count, unit] =
    ms < 60_000 ? [ms / 1000, 'second'] : ms < 3_600_000 ? [ms / 60_000, 'minute'] : [ms / 3_600_000, 'hour']
  const whole = Math.floor(count)
  return `${whole} ${unit}${whole === 1 ? '' : 's'}`
}

function tick() {
  const isWaiting = state === 'lost' || state === 'ended'
  if (isWaiting && Date.now() >= retryAt) connect()
  else if (!isWaiting && Date.now() - heardAt > SILENT_MS && state === 'live') {
    state = 'connecting'
    connection.abort()
  }
  draw()
}

tryNow.addEventListener('click', () => {
  retryAt = 0
  tick()
})
// A computer that wakes up does not wait for its next try.
addEventListener('online', () => tryNow.click())
document.addEventListener('visibilitychange', () => !document.hidden && tick())
setInterval(tick, 1000)
connect()
