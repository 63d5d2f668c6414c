import { openDialog, post, say } from '../console.js'

/**
 * An appointment is dragged to another time or door: by mouse and pen at once, by touch after a long press, so that the page still scrolls.
 * The service says once where it may go, and decides when it is dropped.
 */
const LONG_PRESS_MS = 450
const NEAR_PX = 8
const EDGE_PX = 40
const UNDO_MS = 10_000

const board = document.getElementById('board')
const scroller = board.closest('.scroll')
const [from, to] = [Number(board.dataset.from), Number(board.dataset.to)]
const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: board.dataset.zone })
const ghost = document.createElement('div')
ghost.id = 'board-ghost'

let drag = null

board.addEventListener('dragstart', (event) => event.preventDefault())
board.addEventListener('pointerdown', (event) => {
  const block = event.target.closest('a.load')
  if (!block || event.button !== 0 || !board.dataset.moves || drag) return
  const lane = block.closest('svg.lane')
  const { left } = block.getBoundingClientRect()
  drag = {
    block,
    pointer: event.pointerId,
    isTouch: event.pointerType === 'touch',
    at: [event.clientX, event.clientY],
    grip: event.clientX - left,
    start: Date.parse(block.dataset.start),
    length: Date.parse(block.dataset.end) - Date.parse(block.dataset.start),
    door: lane.dataset.id,
    moves: null,
    target: null,
  }
  // A block that begins before the drawing is gripped where it is drawn.
  drag.grip += (Math.max(0, from - drag.start) / (to - from)) * lane.getBoundingClientRect().width
  if (!drag.isTouch) return
  drag.timer = setTimeout(begin, LONG_PRESS_MS)
  // Touch events go to the element that was touched, even after an update of the board has replaced it.
  block.addEventListener('touchmove', holdPage, { passive: false })
})

async function begin() {
  const mine = drag
  mine.isOn = true
  mine.block.classList.add('dragged')
  board.classList.add('dragging')
  document.body.append(ghost)
  if (mine.isTouch) navigator.vibrate?.(15)
  place(...mine.at)
  const address = `${mine.block.getAttribute('href')}/moves?date=${board.dataset.moves}`
  const answer = await fetch(address)
    .then((response) => (response.ok ? response.json() : null))
    .catch(() => null)
  if (drag !== mine || answer === null) return
  mine.moves = answer
  light()
  place(...mine.at)
}

/** Lights the free places, where a start leaves room for the whole length. Doors without one fade. */
function light() {
  for (const rect of board.querySelectorAll('.legal')) rect.remove()
  if (!drag?.moves) return
  for (const lane of board.querySelectorAll('svg.lane')) {
    const spans = []
    for (const start of drag.moves.doors[lane.dataset.id] ?? []) {
      const last = spans.at(-1)
      if (last && start <= last[1]) last[1] = start + drag.length
      else spans.push([start, start + drag.length])
    }
    lane.classList.toggle('closed', spans.length === 0)
    for (const [start, end] of spans) {
      const rect = document.createElementNS('http://www.w3.org/2000/svg', 'rect')
      rect.setAttribute('class', 'legal')
      rect.setAttribute('x', percent(start - from))
      rect.setAttribute('width', percent(end - start))
      rect.setAttribute('height', '100%')
      lane.insertBefore(rect, lane.querySelector('line, foreignObject'))
    }
  }
}

const percent = (ms) => `${(ms / (to - from)) * 100}%`

document.addEventListener('pointermove', (event) => {
  if (!drag || event.pointerId !== drag.pointer) return
  const isFar = Math.hypot(event.clientX - drag.at[0], event.clientY - drag.at[1]) > NEAR_PX
  if (!drag.isOn) {
    if (!isFar) return
    // The finger scrolls.
    if (drag.isTouch) return end()
    begin()
  }
  drag.at = [event.clientX, event.clientY]
  place(...drag.at)
})
/** A finger that has pressed long does not scroll. Browsers listen to that alone. */
function holdPage(event) {
  if (drag?.isOn && event.cancelable) event.preventDefault()
}
document.addEventListener('touchmove', holdPage, { passive: false })

/** Shows where the appointment would be, and scrolls at the edges. */
function place(x, y) {
  const lane = document.elementsFromPoint(x, y).find((element) => element.matches?.('svg.lane'))
  ghost.hidden = !lane
  drag.target = null
  scrollNear(x, y)
  if (!lane) return
  const { left, top, width, height } = lane.getBoundingClientRect()
  const start = snap(from + ((x - drag.grip - left) / width) * (to - from), lane)
  const isLegal = drag.moves === null || Boolean(drag.moves.doors[lane.dataset.id]?.includes(start))
  drag.target = { start, door: lane.dataset.id, name: lane.dataset.door }
  ghost.className = isLegal ? '' : 'illegal'
  ghost.textContent = `${clock.format(start)} ${lane.dataset.door}${isLegal ? '' : ': not free'}`
  ghost.style.left = `${left + ((start - from) / (to - from)) * width}px`
  ghost.style.top = `${top}px`
  ghost.style.width = `${(drag.length / (to - from)) * width}px`
  ghost.style.height = `${height}px`
}

/** To the next start that is possible there, else to the quarter. To another door alone it keeps its start. */
function snap(wanted, lane) {
  const step = (drag.moves?.slotMinutes ?? 15) * 60_000
  if (Math.abs(wanted - drag.start) < step / 2) return drag.start
  const free = drag.moves?.doors[lane.dataset.id] ?? []
  const near = free.reduce((best, at) => (Math.abs(at - wanted) < Math.abs(best - wanted) ? at : best), free[0])
  if (near !== undefined && Math.abs(near - wanted) <= step) return near
  return from + Math.round((wanted - from) / step) * step
}

function scrollNear(x, y) {
  const { left, right, top, bottom } = scroller.getBoundingClientRect()
  const speed = (at, low, high) => (at < low + EDGE_PX ? -16 : at > high - EDGE_PX ? 16 : 0)
  scroller.scrollBy(speed(x, left, right), speed(y, top, bottom))
}

document.addEventListener('pointerup', (event) => {
  if (event.pointerId !== drag?.pointer) return
  const { isOn, target, block, start, door, length } = drag
  end()
  if (!isOn) return
  swallowClick()
  if (target && (target.start !== start || target.door !== door)) drop(block, target, { start, door, length })
})
document.addEventListener('pointercancel', (event) => event.pointerId === drag?.pointer && end())
document.addEventListener(
  'keydown',
  (event) => {
    if (event.key !== 'Escape' || !drag?.isOn) return
    event.preventDefault()
    end()
    addEventListener('pointerup', swallowClick, { once: true })
  },
  { capture: true },
)

function end() {
  clearTimeout(drag.timer)
  drag.block.classList.remove('dragged')
  drag = null
  ghost.remove()
  board.classList.remove('dragging')
  light()
  for (const lane of board.querySelectorAll('.closed')) lane.classList.remove('closed')
}

/** The click that ends a drag opens nothing. Not every drag ends with one. */
function swallowClick() {
  const swallow = (event) => {
    event.stopPropagation()
    event.preventDefault()
  }
  addEventListener('click', swallow, { capture: true, once: true })
  setTimeout(() => removeEventListener('click', swallow, { capture: true }), 100)
}

const day = new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone: board.dataset.zone })

/** Says also where it was on the board. The service refuses to move what somebody else has moved meanwhile. */
function move(id, { start, door }, before) {
  const place = { targetDate: day.format(before.start), startTime: clock.format(before.start), doorId: before.door }
  const drawn = Object.fromEntries(Object.entries(place).map(([name, value]) => [`drawn.${name}`, value]))
  const slot = `${new Date(start).toISOString()} ${before.length / 60_000} ${door}`
  return post('/console/run/appointments.reschedule', { id, ...place, ...drawn, slot })
}

/** A refusal says why. Where the facility wants a reason of a move, its form is opened. */
async function drop(block, target, before) {
  const id = block.id.slice('load-'.length)
  try {
    await move(id, target, before)
    offerUndo(id, { ...target, length: before.length }, before)
  } catch (error) {
    if (error.details?.some(({ path }) => path === 'reason'))
      openDialog(`${block.getAttribute('href')}/change?do=reschedule`)
    say(error.message)
  }
}

let undo = null

function offerUndo(id, target, before) {
  undo?.line.remove()
  const line = document.createElement('p')
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Undo'
  line.append(`Moved to ${clock.format(target.start)}, ${target.name}. `, button)
  document.getElementById('status').append(line)
  undo = { line, run: () => takeBack(id, target, before) }
  button.addEventListener('click', undo.run)
  setTimeout(forget, UNDO_MS, line)
}

function forget(line) {
  line.remove()
  if (undo?.line === line) undo = null
}

async function takeBack(id, target, before) {
  if (undo) forget(undo.line)
  try {
    await move(id, before, target)
    say('The move was undone.')
  } catch (error) {
    say(error.message)
  }
}

document.addEventListener('keydown', (event) => {
  if (!undo || event.key !== 'z' || !(event.ctrlKey || event.metaKey)) return
  if (event.target.closest?.('input, textarea, select')) return
  event.preventDefault()
  undo.run()
})

document.addEventListener('board-change', () => drag?.isOn && light())
